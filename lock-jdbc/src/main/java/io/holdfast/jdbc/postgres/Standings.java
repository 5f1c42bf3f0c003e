package io.holdfast.jdbc.postgres;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Contention;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Reads how a request stands where the statement of a verb has not told it. */
final class Standings {

  private final LockDatabase database;
  private final RestartGuard restartGuard;
  private final Integer maxWaiters;

  /**
   * How a request stands.
   *
   * @param isQueued whether it waits, unless it holds
   * @param isContended whether anybody waits
   * @param isFull whether as many wait as may
   * @param guard for how many more microseconds the restart guard delays grants
   * @param isGuardInFuture whether it lasts for longer than any could: the clock was set back
   */
  record Standing(
      boolean sessionLives,
      HolderRow lock,
      boolean isQueued,
      boolean isContended,
      boolean isFull,
      long guard,
      boolean isGuardInFuture) {}

  Standings(LockDatabase database, BackendOptions options) {
    this.database = database;
    this.restartGuard = options.restartGuard();
    this.maxWaiters = options.maxWaiters().orElse(PostgresLocks.WAITERS_MAX);
  }

  /** Reads it, and gives times of the future the present time. */
  Standing read(DatabaseConnection connection, LockName name, RequestId request)
      throws SQLException {
    List<Standing> rows =
        connection.read(
            RecordStatements.STANDING,
            Map.of(
                "name",
                name.bytes(),
                "session",
                request.session().value(),
                "request",
                request.toString(),
                "waiters",
                maxWaiters),
            row -> standing(row, name));
    if (rows.isEmpty()) {
      return new Standing(false, HolderRow.unknown(name), false, false, false, 0, false);
    }
    Standing standing = rows.get(0);
    if (standing.lock().isStayDoubtful()) {
      connection.change(RevokeStatements.RESTAMP, Map.of("name", name.bytes()));
    }
    if (standing.isGuardInFuture()) {
      connection.change(database.dialect().restampGuard(), Map.of());
    }
    return standing;
  }

  private static Standing standing(ResultSet row, LockName name) throws SQLException {
    long guard = row.getLong("guard");
    long greatest = row.getLong("guard_max");
    return new Standing(
        row.getBoolean("mine"),
        row.getBytes("name") == null ? HolderRow.unknown(name) : HolderRow.read(row),
        row.getBoolean("queued"),
        row.getBoolean("waited"),
        row.getBoolean("full"),
        Math.min(guard, greatest) - row.getLong("now"),
        guard > greatest);
  }

  /** Returns the answer to an attempt that has changed nothing. */
  Attempt answer(Standing standing, RequestId request) {
    HolderRow lock = standing.lock();
    if (!standing.sessionLives()) {
      return new Attempt.SessionOver();
    }
    if (lock.isHeldBy(request)) {
      return new Attempt.Granted(
          lock.number(),
          StoreTime.instant(lock.since()),
          Contention.of(standing.isContended() ? 1 : 0));
    }
    if (standing.isQueued()) {
      return new Attempt.Queued();
    }
    if (restartGuard == RestartGuard.ON && standing.guard() > 0) {
      return new Attempt.Delayed(
          StoreTime.duration(standing.guard()),
          "%s continued from a state that may lack its last grants, so no lock is granted until the earlier leases have run out."
              .formatted(database.describe()));
    }
    return new Attempt.Refused(lock.with(List.of()), lock.due());
  }

  /** Returns for how many more microseconds the restart guard keeps locks from being taken. */
  long guard(DatabaseConnection connection, LockName name, RequestId request) throws SQLException {
    return restartGuard == RestartGuard.ON ? read(connection, name, request).guard() : 0;
  }
}
