package io.holdfast.jdbc.verbs;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.QueueTextDatabase;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.database.RowChanges;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.support.QueueText;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * The verbs that change a lock's queue. One statement on the lock's row decides each verb; later
 * reads only find out what to answer.
 */
final class Queues {

  /**
   * How often a grab is tried that found the lock held, and then free; or no record, and then one.
   */
  private static final int GRABS_MAX = 3;

  private static final Integer CAP = QueueTextDialect.QUEUE_MAX;

  private final QueueTextDatabase database;
  private final QueueTextDialect dialect;
  private final RowChanges changes;
  private final RestartGuard restartGuard;

  /** As parameters of statements. */
  private final Integer guard;

  private final Integer maxWaiters;

  /** The state of a request, and for how many more microseconds the restart guard delays grants. */
  private record Standing(boolean sessionLives, RecordRow row, long guard, Future future) {}

  /** Which times lie in the store's future, which proves that the clock was set back. */
  private record Future(boolean guard, boolean revoked) {

    static final Future NONE = new Future(false, false);
  }

  Queues(QueueTextDatabase database, BackendOptions options) {
    this.database = database;
    this.restartGuard = options.restartGuard();
    this.guard = restartGuard == RestartGuard.ON ? 1 : 0;
    this.maxWaiters = options.maxWaiters().orElse(QueueTextDialect.WAITERS_MAX);
    this.dialect = database.dialect();
    this.changes = dialect.changes();
  }

  Attempt grab(DatabaseConnection connection, Request request) throws SQLException {
    request.requireExclusive(database.describe());
    String entry = QueueText.entry(request);
    // As few objects as there can be: an adapter makes these for each acquire.
    Map<String, Object> parameters =
        Map.of(
            "name",
            request.name().bytes(),
            "session",
            request.id().session().value(),
            "mark",
            QueueText.markOf(entry),
            "entry",
            entry,
            "guard",
            guard,
            "join",
            request.ifHeld() == IfHeld.QUEUE ? 1 : 0,
            "cap",
            CAP,
            "waiters",
            maxWaiters);
    for (int left = GRABS_MAX; ; left--) {
      Optional<Attempt> told;
      try {
        told = changes.grab(connection, parameters);
      } catch (SQLException e) {
        if (left > 1 && database.isDuplicateKey(e)) {
          continue;
        }
        throw e;
      }
      if (told.isPresent()) {
        return told.get();
      }
      Standing standing = standing(connection, request.name(), request.id().session());
      Attempt answer = answer(standing, request.id());
      if (!(answer instanceof Attempt.Refused) || isRefused(standing.row(), request)) {
        return answer;
      }
      Optional<String> limit = limit(standing.row(), request);
      if (limit.isPresent()) {
        return new Attempt.QueueFull(limit.get());
      }
      if (left == 1) {
        return answer;
      }
    }
  }

  private static boolean isRefused(RecordRow row, Request request) {
    return request.ifHeld() == IfHeld.REFUSE && !row.isFree();
  }

  /** Returns what keeps a request that wants to wait from joining, if anything does. */
  private Optional<String> limit(RecordRow row, Request request) {
    if (row.isFree()) {
      return Optional.empty();
    }
    if (row.waiting() >= maxWaiters) {
      return Optional.of("maxWaiters=" + maxWaiters);
    }
    boolean fits =
        row.queue().length() + QueueText.entry(request).length() <= QueueTextDialect.QUEUE_MAX;
    return fits
        ? Optional.empty()
        : Optional.of("a queue of %d characters".formatted(QueueTextDialect.QUEUE_MAX));
  }

  Attempt overtake(DatabaseConnection connection, Request request, Observed head)
      throws SQLException {
    if (!request.id().equals(head.request())) {
      request.requireExclusive(database.describe());
      String entry = QueueText.entry(request);
      Map<String, Object> parameters =
          Map.of(
              "name", request.name().bytes(),
              "session", request.id().session().value(),
              "mark", QueueText.markOf(entry),
              "entry", entry,
              "guard", guard,
              "number", head.number(),
              "head", QueueText.mark(head.request()));
      Optional<Attempt> told = changes.overtake(connection, parameters);
      if (told.isPresent()) {
        return told.get();
      }
    }
    return answer(standing(connection, request.name(), request.id().session()), request.id());
  }

  private Standing standing(DatabaseConnection connection, LockName name, SessionId session)
      throws SQLException {
    Standing standing = readStanding(connection, name, session);
    if (standing.future().revoked()) {
      connection.change(dialect.restampRevoked(), Map.of("name", name.bytes()));
    }
    if (standing.future().guard()) {
      connection.change(dialect.restampGuard(), Map.of());
    }
    return standing;
  }

  private Standing readStanding(DatabaseConnection connection, LockName name, SessionId session)
      throws SQLException {
    return connection
        .read(
            dialect.standing(),
            Map.of("name", name.bytes(), "session", session.value()),
            row ->
                new Standing(
                    row.getBoolean("mine"),
                    row.getBytes("name") == null ? RecordRow.unknown(name) : RecordRow.read(row),
                    Math.min(row.getLong("guard"), row.getLong("guard_max")) - row.getLong("now"),
                    new Future(
                        row.getLong("guard") > row.getLong("guard_max"),
                        row.getLong("revoked") > row.getLong("now"))))
        .stream()
        .findFirst()
        .orElse(new Standing(false, RecordRow.unknown(name), 0, Future.NONE));
  }

  private Attempt answer(Standing standing, RequestId request) {
    RecordRow row = standing.row();
    if (!standing.sessionLives()) {
      return new Attempt.SessionOver();
    }
    if (row.isHeldBy(request)) {
      return new Attempt.Granted(
          row.number(), StoreTime.instant(row.since()), Contention.of(row.waiting()));
    }
    if (row.hasQueued(request)) {
      return new Attempt.Queued();
    }
    if (restartGuard == RestartGuard.ON && standing.guard() > 0) {
      return new Attempt.Delayed(
          StoreTime.duration(standing.guard()),
          "%s continued from a state that may lack its last grants, so no lock is granted until the earlier leases have run out."
              .formatted(database.describe()));
    }
    return new Attempt.Refused(row.toRecord(), row.headDue());
  }

  Released release(DatabaseConnection connection, LockName name, RequestId request)
      throws SQLException {
    return changes.release(
        connection, Map.of("name", name.bytes(), "mark", QueueText.mark(request)));
  }

  Revocation revoke(DatabaseConnection connection, Observed head, RevokeWhen when)
      throws SQLException {
    Map<String, Object> parameters =
        Map.of(
            "name", head.name().bytes(),
            "number", head.number(),
            "head", QueueText.mark(head.request()),
            "notice", head.request() + ";",
            "holder", head.request().session().value());
    connection.change(dialect.notifyRevoked(), parameters);
    return switch (when) {
      case SAFELY -> revokeSafely(connection, head, parameters);
      case NOW -> evict(connection, parameters);
    };
  }

  /** During the restart guard a session that is over proves nothing: its holder may believe. */
  private Revocation revokeSafely(
      DatabaseConnection connection, Observed head, Map<String, Object> parameters)
      throws SQLException {
    Optional<Long> left = changes.markRevoked(connection, parameters);
    if (left.isEmpty()) {
      return new Revocation.Changed();
    }
    long guard =
        restartGuard == RestartGuard.ON
            ? standing(connection, head.name(), head.request().session()).guard()
            : 0;
    long remaining = Math.max(left.get(), guard);
    return remaining > 0
        ? new Revocation.Marked(StoreTime.duration(remaining))
        : evict(connection, parameters);
  }

  private Revocation evict(DatabaseConnection connection, Map<String, Object> parameters)
      throws SQLException {
    return connection.change(dialect.evict(), parameters) > 0
        ? new Revocation.Freed()
        : new Revocation.Changed();
  }
}
