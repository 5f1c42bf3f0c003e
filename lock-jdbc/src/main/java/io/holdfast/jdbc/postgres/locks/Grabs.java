package io.holdfast.jdbc.postgres.locks;

import io.holdfast.LockMode;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.LocksSeen;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.jdbc.postgres.locks.LockReader.LockState;
import io.holdfast.jdbc.postgres.locks.Removals.Removal;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Observed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The verbs by which a request gets a lock, or a place in its queue. */
final class Grabs {

  /** How often a grab is tried that found the lock held, and then free. */
  private static final int GRABS_MAX = 3;

  private final LockDatabase database;
  private final LockReader reader;
  private final LocksSeen crowded;

  /** As parameters of statements. */
  private final Integer guard;

  private final Integer maxWaiters;

  Grabs(LockDatabase database, BackendOptions options, LockReader reader, LocksSeen crowded) {
    this.database = database;
    this.reader = reader;
    this.crowded = crowded;
    this.guard = options.restartGuard() == RestartGuard.ON ? 1 : 0;
    this.maxWaiters = options.maxWaiters().orElse(PostgresLocks.WAITERS_MAX);
  }

  Attempt grab(DatabaseConnection connection, Request request) throws SQLException {
    boolean mayWait = request.ifHeld() == IfHeld.QUEUE;
    Map<String, Object> parameters = Entry.parameters(request);
    parameters.put("guard", guard);
    // With room for no waiter a request may still join those who share.
    parameters.put("waiters", mayWait ? maxWaiters : Integer.valueOf(0));
    for (int left = GRABS_MAX; ; left--) {
      Optional<Attempt> told = takeOrJoin(connection, request, parameters, left);
      if (told.isPresent()) {
        return told.get();
      }
      LockState state = reader.read(connection, request.name(), request.id());
      Attempt answer = reader.answer(state);
      if (!(answer instanceof Attempt.Refused)) {
        return answer;
      }
      if (!state.isFree() && mayWait && state.isFull()) {
        return new Attempt.QueueFull("maxWaiters=" + maxWaiters);
      }
      boolean isRefused = !state.isFree() && !mayWait;
      boolean isTombstone = state.holder(request.id()).isPresent();
      if (isRefused || isTombstone || left == 1) {
        return answer;
      }
    }
  }

  /** Returns that the request holds or waits; empty if the record must be read to know. */
  private Optional<Attempt> takeOrJoin(
      DatabaseConnection connection, Request request, Map<String, ?> parameters, int left)
      throws SQLException {
    boolean mayJoin = request.ifHeld() == IfHeld.QUEUE || request.mode() == LockMode.SHARED;
    if (!mayJoin || !crowded.contains(request.name())) {
      Optional<Attempt> taken =
          connection.change(GrabStatements.GRAB, parameters, row -> granted(row));
      if (taken.isPresent() || !mayJoin) {
        return taken;
      }
    }
    try {
      Optional<Attempt> joined =
          connection.change(
              GrabStatements.JOIN,
              parameters,
              row -> row.getLong("number") == 0 ? new Attempt.Queued() : granted(row));
      if (joined.isPresent()) {
        crowded.add(request.name());
      }
      return joined;
    } catch (SQLException e) {
      if (left > 1 && database.isDuplicateKey(e)) {
        return Optional.empty(); // A copy of this grab has joined at the same time.
      }
      throw e;
    }
  }

  /** No request waits where one gets the lock at once. */
  private static Attempt granted(ResultSet row) throws SQLException {
    return new Attempt.Granted(
        row.getLong("number"), StoreTime.instant(row.getLong("since")), Contention.NOBODY_WAITS);
  }

  Attempt overtake(DatabaseConnection connection, Request request, Observed head)
      throws SQLException {
    if (!request.id().equals(head.request())) {
      Map<String, Object> parameters = Entry.parameters(request);
      parameters.put("guard", guard);
      parameters.put("number", head.number());
      parameters.put("leaver", head.request().toString());
      Optional<Removal> told = Removals.remove(connection, LeaveStatements.OVERTAKE, parameters);
      if (told.isPresent() && told.get().isTaken()) {
        return new Attempt.Granted(told.get().number(), told.get().since(), Contention.NOT_KNOWN);
      }
    }
    LockState state = reader.read(connection, request.name(), request.id());
    Attempt answer = reader.answer(state);
    boolean mayHaveDelay = answer instanceof Attempt.Refused || answer instanceof Attempt.Queued;
    return mayHaveDelay && beginDelay(connection, state, head)
        ? reader.answer(reader.read(connection, request.name(), request.id()))
        : answer;
  }

  /** Lets the delay begin of a dead holder that has one; returns whether it did. */
  private static boolean beginDelay(DatabaseConnection connection, LockState state, Observed head)
      throws SQLException {
    boolean mayHaveOne =
        state.holder(head.request()).map(Judged::beginsDelay).orElse(state.isShortened());
    return mayHaveOne && StayChanges.beginDelay(connection, head);
  }
}
