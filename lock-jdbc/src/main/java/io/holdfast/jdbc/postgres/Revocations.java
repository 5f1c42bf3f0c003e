package io.holdfast.jdbc.postgres;

import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.spi.Observed;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The verb by which a grant is taken away from its holder. */
final class Revocations {

  private final Standings standings;

  Revocations(Standings standings) {
    this.standings = standings;
  }

  Revocation revoke(DatabaseConnection connection, Observed holder, RevokeWhen when)
      throws SQLException {
    Map<String, Object> parameters =
        Map.of(
            "name", holder.name().bytes(),
            "number", holder.number(),
            "request", holder.request().toString(),
            "notice", holder.request() + ";",
            "session", holder.request().session().value());
    connection.change(RevokeStatements.TELL_SESSION, parameters);
    return switch (when) {
      case SAFELY -> revokeSafely(connection, holder, parameters);
      case NOW -> evict(connection, holder);
    };
  }

  /** During the restart guard a session that is over proves nothing: its holder may believe. */
  private Revocation revokeSafely(
      DatabaseConnection connection, Observed holder, Map<String, Object> parameters)
      throws SQLException {
    Optional<Long> left =
        connection.change(RevokeStatements.MARK, parameters, row -> row.getLong("remaining"));
    if (left.isEmpty()) {
      return new Revocation.Changed();
    }
    long remaining =
        Math.max(left.get(), standings.guard(connection, holder.name(), holder.request()));
    return remaining > 0
        ? new Revocation.Marked(StoreTime.duration(remaining))
        : evict(connection, holder);
  }

  private static Revocation evict(DatabaseConnection connection, Observed holder)
      throws SQLException {
    return Removals.evict(connection, holder) ? new Revocation.Freed() : new Revocation.Changed();
  }
}
