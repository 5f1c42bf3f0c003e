package io.holdfast.jdbc.postgres.locks;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a lock for a request where the statement of a verb has not told how the lock is. */
final class LockReader {

  private final LockDatabase database;
  private final RestartGuard restartGuard;
  private final Integer maxWaiters;

  /**
   * A lock as a request finds it.
   *
   * @param number the lock's number; 0 if it has no record
   * @param mode how the lock is held, if it is
   * @param holders who holds it; some are left out if they are many
   * @param granted since when the request holds, if it does
   * @param isQueued whether it waits
   * @param isContended whether any request waits
   * @param isFull whether as many wait as may
   * @param guard for how many more microseconds the restart guard delays grants
   * @param isGuardInFuture whether it lasts for longer than any could: the clock was set back
   */
  record LockState(
      LockName name,
      boolean sessionLives,
      long number,
      LockMode mode,
      List<EntryRow> holders,
      boolean holds,
      Instant granted,
      boolean isQueued,
      boolean isContended,
      boolean isFull,
      long guard,
      boolean isGuardInFuture) {

    /** Every lock of a namespace in which no session was opened. */
    static LockState unknown(LockName name) {
      return new LockState(
          name,
          false,
          0,
          LockMode.EXCLUSIVE,
          List.of(),
          false,
          Instant.EPOCH,
          false,
          false,
          false,
          0,
          false);
    }

    private static LockState read(ResultSet row, LockName name, List<EntryRow> holders)
        throws SQLException {
      long guard = row.getLong("guard");
      long greatest = row.getLong("guard_max");
      boolean holds = row.getBoolean("holds");
      return new LockState(
          name,
          row.getBoolean("lives"),
          row.getLong("number"),
          holds ? Entry.mode(row.getString("held_as")) : LockMode.EXCLUSIVE,
          holders,
          holds,
          StoreTime.instant(row.getLong("granted")),
          row.getBoolean("queued"),
          row.getBoolean("waited"),
          row.getBoolean("full"),
          Math.min(guard, greatest) - row.getLong("now"),
          guard > greatest);
    }

    boolean isFree() {
      return holders.isEmpty();
    }

    /** Whether there may be more holders than were read. */
    boolean isShortened() {
      return holders.size() >= PostgresLocks.HOLDERS_MAX;
    }

    List<Judged> judged() {
      return holders.stream().map(EntryRow::judged).toList();
    }

    /** Returns a holder, if it is one of those that were read. */
    Optional<Judged> holder(RequestId request) {
      return judged().stream().filter(holder -> holder.request().equals(request)).findFirst();
    }
  }

  LockReader(LockDatabase database, BackendOptions options) {
    this.database = database;
    this.restartGuard = options.restartGuard();
    this.maxWaiters = options.maxWaiters().orElse(PostgresLocks.WAITERS_MAX);
  }

  /** Reads it, and gives times of the future the present time. */
  LockState read(DatabaseConnection connection, LockName name, RequestId request)
      throws SQLException {
    List<EntryRow> holders = new ArrayList<>();
    List<LockState> rows =
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
            row -> {
              EntryRow.read(row).ifPresent(holders::add);
              return LockState.read(row, name, holders);
            });
    if (rows.isEmpty()) {
      return LockState.unknown(name);
    }
    LockState state = rows.get(0);
    if (Judged.isDoubtful(state.judged())) {
      StayChanges.beginAnew(connection, name);
    }
    if (state.isGuardInFuture()) {
      connection.change(database.dialect().restampGuard(), Map.of());
    }
    return state;
  }

  /** Returns the answer to an attempt that has changed nothing. */
  Attempt answer(LockState state) {
    if (!state.sessionLives()) {
      return new Attempt.SessionOver();
    }
    if (state.holds()) {
      return new Attempt.Granted(
          state.number(), state.granted(), Contention.of(state.isContended() ? 1 : 0));
    }
    if (state.isQueued()) {
      return new Attempt.Queued();
    }
    if (restartGuard == RestartGuard.ON && state.guard() > 0) {
      return new Attempt.Delayed(
          StoreTime.duration(state.guard()),
          "%s continued from a state that may lack its last grants, so no lock is granted until the earlier leases have run out."
              .formatted(database.describe()));
    }
    return new Attempt.Refused(
        new LockRecord(
            state.name(),
            state.number(),
            state.holders().stream().map(EntryRow::holder).toList(),
            List.of()),
        Judged.firstDue(state.judged()));
  }

  /** Returns for how many more microseconds the restart guard keeps locks from being taken. */
  long guard(DatabaseConnection connection, LockName name, RequestId request) throws SQLException {
    return restartGuard == RestartGuard.ON ? read(connection, name, request).guard() : 0;
  }
}
