package io.holdfast.jdbc.postgres;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Released;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The verbs by which a request leaves a lock or its queue. */
final class Removals {

  /** For {@link QueueStatements#REMOVE}: whatever the number. */
  private static final Long ANY_NUMBER = 0L;

  private final Standings standings;
  private final SeenWaiting seenWaiting;

  Removals(Standings standings, SeenWaiting seenWaiting) {
    this.standings = standings;
    this.seenWaiting = seenWaiting;
  }

  Released release(DatabaseConnection connection, LockName name, RequestId request)
      throws SQLException {
    if (!seenWaiting.contains(name)
        && connection
            .change(
                QueueStatements.FREE,
                Map.of("name", name.bytes(), "request", request.toString()),
                row -> Released.FREED)
            .isPresent()) {
      return Released.FREED;
    }
    Released released = remove(connection, name, request, ANY_NUMBER);
    if (released == Released.FREED) {
      seenWaiting.remove(name);
    } else if (released == Released.HANDED_ON) {
      seenWaiting.add(name);
    }
    return released;
  }

  /**
   * Removes a request. A step that comes between has got another client on, and the connection ends
   * this at the deadline.
   */
  static Released remove(
      DatabaseConnection connection, LockName name, RequestId request, Long number)
      throws SQLException {
    Map<String, Object> parameters =
        Map.of("name", name.bytes(), "request", request.toString(), "number", number);
    while (true) {
      Optional<Optional<Released>> told =
          connection.change(QueueStatements.REMOVE, parameters, row -> effect(row.getInt(1)));
      if (told.isEmpty()) {
        return Released.NOTHING;
      }
      if (told.get().isPresent()) {
        return told.get().get();
      }
    }
  }

  /** Returns what was done; empty if a step came between. */
  private static Optional<Released> effect(int told) {
    return switch (told) {
      case 1 -> Optional.of(Released.WAS_WAITING);
      case 2 -> Optional.of(Released.FREED);
      case 3 -> Optional.of(Released.HANDED_ON);
      default -> Optional.empty();
    };
  }

  Revocation revoke(DatabaseConnection connection, Observed head, RevokeWhen when)
      throws SQLException {
    Map<String, Object> parameters =
        Map.of(
            "name", head.name().bytes(),
            "number", head.number(),
            "request", head.request().toString(),
            "notice", head.request() + ";",
            "session", head.request().session().value());
    connection.change(RevokeStatements.TELL_SESSION, parameters);
    return switch (when) {
      case SAFELY -> revokeSafely(connection, head, parameters);
      case NOW -> evict(connection, head);
    };
  }

  /** During the restart guard a session that is over proves nothing: its holder may believe. */
  private Revocation revokeSafely(
      DatabaseConnection connection, Observed head, Map<String, Object> parameters)
      throws SQLException {
    Optional<Long> left =
        connection.change(RevokeStatements.MARK, parameters, row -> row.getLong("remaining"));
    if (left.isEmpty()) {
      return new Revocation.Changed();
    }
    long remaining = Math.max(left.get(), standings.guard(connection, head.name(), head.request()));
    return remaining > 0
        ? new Revocation.Marked(StoreTime.duration(remaining))
        : evict(connection, head);
  }

  private static Revocation evict(DatabaseConnection connection, Observed head)
      throws SQLException {
    return remove(connection, head.name(), head.request(), head.number()) == Released.NOTHING
        ? new Revocation.Changed()
        : new Revocation.Freed();
  }
}
