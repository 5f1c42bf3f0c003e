package io.holdfast.jdbc.postgres;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.jdbc.postgres.Standings.Standing;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The verbs by which a request gets a lock, or a place in its queue. */
final class Grabs {

  /** How often a grab is tried that found the lock held, and then free. */
  private static final int GRABS_MAX = 3;

  /** What {@link QueueStatements#OVERTAKE} tells if a step came between. */
  private static final long CAME_BETWEEN = -1;

  private final LockDatabase database;
  private final Standings standings;
  private final SeenWaiting seenWaiting;

  /** As parameters of statements. */
  private final Integer guard;

  private final Integer maxWaiters;

  Grabs(
      LockDatabase database, BackendOptions options, Standings standings, SeenWaiting seenWaiting) {
    this.database = database;
    this.standings = standings;
    this.seenWaiting = seenWaiting;
    this.guard = options.restartGuard() == RestartGuard.ON ? 1 : 0;
    this.maxWaiters = options.maxWaiters().orElse(PostgresLocks.WAITERS_MAX);
  }

  Attempt grab(DatabaseConnection connection, Request request) throws SQLException {
    request.requireExclusive(database.describe());
    Map<String, Object> parameters = Entry.parameters(request);
    parameters.put("guard", guard);
    parameters.put("waiters", maxWaiters);
    for (int left = GRABS_MAX; ; left--) {
      Optional<Attempt> told = takeOrJoin(connection, request, parameters, left);
      if (told.isPresent()) {
        return told.get();
      }
      Standing standing = standings.read(connection, request.name(), request.id());
      Attempt answer = standings.answer(standing, request.id());
      if (!(answer instanceof Attempt.Refused)) {
        return answer;
      }
      if (!standing.lock().isFree() && request.ifHeld() == IfHeld.QUEUE && standing.isFull()) {
        return new Attempt.QueueFull("maxWaiters=" + maxWaiters);
      }
      boolean isRefused = !standing.lock().isFree() && request.ifHeld() == IfHeld.REFUSE;
      if (isRefused || left == 1) {
        return answer;
      }
    }
  }

  /** Returns that the request holds or waits; empty if the record must be read to know. */
  private Optional<Attempt> takeOrJoin(
      DatabaseConnection connection, Request request, Map<String, ?> parameters, int left)
      throws SQLException {
    boolean mayWait = request.ifHeld() == IfHeld.QUEUE;
    if (!mayWait || !seenWaiting.contains(request.name())) {
      Optional<Attempt> taken =
          connection.change(
              QueueStatements.GRAB, parameters, row -> granted(row, Contention.NOBODY_WAITS));
      if (taken.isPresent() || !mayWait) {
        return taken;
      }
    }
    try {
      Optional<Attempt> joined =
          connection.change(
              QueueStatements.JOIN,
              parameters,
              row ->
                  row.getLong(1) == 0
                      ? new Attempt.Queued()
                      : granted(row, Contention.NOBODY_WAITS));
      if (joined.isPresent() && joined.get() instanceof Attempt.Queued) {
        seenWaiting.add(request.name());
      }
      return joined;
    } catch (SQLException e) {
      if (left > 1 && database.isDuplicateKey(e)) {
        return Optional.empty(); // A copy of this grab has joined at the same time.
      }
      throw e;
    }
  }

  private static Attempt.Granted granted(ResultSet row, Contention contention) throws SQLException {
    return new Attempt.Granted(row.getLong(1), StoreTime.instant(row.getLong(2)), contention);
  }

  Attempt overtake(DatabaseConnection connection, Request request, Observed head)
      throws SQLException {
    if (!request.id().equals(head.request())) {
      request.requireExclusive(database.describe());
      Map<String, Object> parameters = Entry.parameters(request);
      parameters.put("guard", guard);
      parameters.put("number", head.number());
      parameters.put("head", head.request().toString());
      Optional<Attempt> told = overtake(connection, parameters);
      if (told.isPresent()) {
        return told.get();
      }
    }
    return standings.answer(standings.read(connection, request.name(), request.id()), request.id());
  }

  /**
   * Returns that the request holds; empty if the record must be read to know. A step that comes
   * between has got another client on, and the connection ends this at the deadline.
   */
  private static Optional<Attempt> overtake(
      DatabaseConnection connection, Map<String, ?> parameters) throws SQLException {
    while (true) {
      Optional<Attempt.Granted> told =
          connection.change(
              QueueStatements.OVERTAKE, parameters, row -> granted(row, Contention.NOT_KNOWN));
      if (told.isEmpty() || told.get().number() != CAME_BETWEEN) {
        return told.filter(granted -> granted.number() > 0).map(granted -> granted);
      }
    }
  }
}
