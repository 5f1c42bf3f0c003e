package io.holdfast.jdbc.postgres.locks;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.NoticeText;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.answer.Observed;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The verbs by which a grant is taken away from its holder. */
final class Revocations {

  private static final Long NO_NOTICE = 0L;

  /** For {@link StayStatements} and {@link LeaveStatements#EVICT}: any number. */
  private static final long ANY_NUMBER = 0;

  /** The answer of {@link StayStatements#REVOKE} where it marks no holder. */
  private static final long STAYS = -1;

  private static final long CAME_BETWEEN = -2;

  private final LockReader reader;

  Revocations(LockReader reader) {
    this.reader = reader;
  }

  Revocation revoke(DatabaseConnection connection, Observed observed, RevokeWhen when)
      throws SQLException {
    Observed holder = tell(connection, StayStatements.TELL_AT_ONCE, observed, NO_NOTICE);
    return switch (when) {
      case SAFELY -> revokeSafely(connection, holder);
      case NOW -> evict(connection, holder);
    };
  }

  /** During the restart guard a session that is over proves nothing: its holder may believe. */
  private Revocation revokeSafely(DatabaseConnection connection, Observed holder)
      throws SQLException {
    Optional<Revocation> marked = mark(connection, holder, NO_NOTICE);
    boolean mayGo = marked.filter(Revocations::isDue).isPresent();
    return mayGo ? evict(connection, holder) : marked.orElseGet(Revocation.Changed::new);
  }

  private static boolean isDue(Revocation revocation) {
    return revocation instanceof Revocation.Marked marked && marked.remaining().isZero();
  }

  Revocation revokeIn(DatabaseConnection connection, Observed observed, Duration notice)
      throws SQLException {
    Long micros = StoreTime.micros(notice);
    Observed holder = tell(connection, StayStatements.TELL_LATER, observed, micros);
    return mark(connection, holder, micros).orElseGet(Revocation.Changed::new);
  }

  /**
   * Tells the session of a holder, and returns whom to mark: one that was told gives its grant up
   * also if it has downgraded since, and holds by another number.
   */
  private static Observed tell(
      DatabaseConnection connection, String statement, Observed observed, Long notice)
      throws SQLException {
    return connection.change(statement, parameters(observed, notice)) > 0
        ? new Observed(observed.name(), ANY_NUMBER, observed.request())
        : observed;
  }

  private static Map<String, Object> parameters(Observed holder, Long notice) {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("name", holder.name().bytes());
    parameters.put("number", holder.number());
    parameters.put("request", holder.request().toString());
    parameters.put("session", holder.request().session().value());
    parameters.put("once", NoticeText.atOnce(holder.request()));
    parameters.put("begin", NoticeText.begin(holder.request()));
    parameters.put("notice", notice);
    return parameters;
  }

  /** Marks the holder, or removes it if it stays without a session; empty if it is not there. */
  private Optional<Revocation> mark(DatabaseConnection connection, Observed holder, Long notice)
      throws SQLException {
    Optional<Long> told = revoked(connection, parameters(holder, notice));
    if (told.isEmpty()) {
      return Optional.empty();
    }
    long left = told.get();
    if (left == STAYS) {
      return Optional.of(evict(connection, holder));
    }
    long remaining = Math.max(left, reader.guard(connection, holder.name(), holder.request()));
    return Optional.of(new Revocation.Marked(StoreTime.duration(remaining)));
  }

  /**
   * Returns what {@link StayStatements#REVOKE} tells. A step that comes between has begun a stay,
   * or taken the holder away.
   */
  private static Optional<Long> revoked(
      DatabaseConnection connection, Map<String, Object> parameters) throws SQLException {
    while (true) {
      Optional<Long> told =
          connection.change(StayStatements.REVOKE, parameters, row -> row.getLong("remaining"));
      if (told.filter(left -> left == CAME_BETWEEN).isEmpty()) {
        return told;
      }
    }
  }

  private static Revocation evict(DatabaseConnection connection, Observed holder)
      throws SQLException {
    return Removals.evict(connection, holder) ? new Revocation.Freed() : new Revocation.Changed();
  }
}
