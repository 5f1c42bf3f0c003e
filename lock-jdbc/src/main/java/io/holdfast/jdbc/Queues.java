package io.holdfast.jdbc;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.SessionId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.QueueText;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The verbs that change a lock's queue. Each is decided by one statement on the lock's row; what is
 * read after it only finds the words for the answer.
 */
final class Queues {

  /**
   * The longest queue, in characters: some four thousand waiters as they usually are, and sixty
   * with all the text they may bring. Every step on a lock writes its queue anew.
   */
  static final int QUEUE_MAX = 512 * 1024;

  /**
   * How often a grab is tried that found the lock held, and then free; or no record, and then one.
   */
  private static final int GRABS_MAX = 3;

  private final Database database;
  private final Dialect dialect;
  private final Answers answers;
  private final RestartGuard restartGuard;
  private final OptionalInt maxWaiters;

  /** How a request stands, and for how many more microseconds nobody is granted anything. */
  private record Standing(boolean sessionLives, RecordRow row, long guard, Future future) {}

  /** What lies in the store's future, where it cannot have come about: the clock was set back. */
  private record Future(boolean guard, boolean revoked) {

    static final Future NONE = new Future(false, false);
  }

  Queues(Database database, BackendOptions options) {
    this.database = database;
    this.restartGuard = options.restartGuard();
    this.maxWaiters = options.maxWaiters();
    this.dialect = database.dialect();
    this.answers = dialect.answers();
  }

  Attempt grab(Link link, Request request) throws SQLException {
    Map<String, Object> parameters = parameters(request);
    parameters.put("join", request.ifHeld() == IfHeld.QUEUE ? 1 : 0);
    parameters.put("cap", QUEUE_MAX);
    parameters.put("waiters", maxWaiters.orElse(Integer.MAX_VALUE));
    for (int left = GRABS_MAX; ; left--) {
      Optional<Attempt> told;
      try {
        told = answers.grab(link, parameters);
      } catch (SQLException e) {
        if (left > 1 && database.isRowMadeMeanwhile(e)) {
          continue;
        }
        throw e;
      }
      if (told.isPresent()) {
        return told.get();
      }
      Standing standing = standing(link, request.name(), request.id().session());
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
    if (maxWaiters.isPresent() && row.waiting() >= maxWaiters.getAsInt()) {
      return Optional.of("maxWaiters=" + maxWaiters.getAsInt());
    }
    boolean fits = row.queue().length() + QueueText.entry(request).length() <= QUEUE_MAX;
    return fits ? Optional.empty() : Optional.of("a queue of %d characters".formatted(QUEUE_MAX));
  }

  Attempt overtake(Link link, Request request, Observed head) throws SQLException {
    if (!request.id().equals(head.request())) {
      Map<String, Object> parameters = parameters(request);
      parameters.put("number", head.number());
      parameters.put("head", QueueText.mark(head.request()));
      Optional<Attempt> told = answers.overtake(link, parameters);
      if (told.isPresent()) {
        return told.get();
      }
    }
    return answer(standing(link, request.name(), request.id().session()), request.id());
  }

  private Standing standing(Link link, LockName name, SessionId session) throws SQLException {
    Standing standing = readStanding(link, name, session);
    if (standing.future().revoked()) {
      link.change(dialect.restampRevoked(), Map.of("name", name.bytes()));
    }
    if (standing.future().guard()) {
      link.change(dialect.restampGuard(), Map.of());
    }
    return standing;
  }

  private Standing readStanding(Link link, LockName name, SessionId session) throws SQLException {
    return link
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
          "%s went on from a state that may lack its last grants, so nobody is granted a lock until the leases of before have run out."
              .formatted(database.describe()));
    }
    return new Attempt.Refused(row.toRecord(), row.headDue());
  }

  private Map<String, Object> parameters(Request request) {
    request.requireExclusive(database.describe());
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("name", request.name().bytes());
    parameters.put("session", request.id().session().value());
    parameters.put("mark", QueueText.mark(request.id()));
    parameters.put("entry", QueueText.entry(request));
    parameters.put("guard", restartGuard == RestartGuard.ON ? 1 : 0);
    return parameters;
  }

  Released release(Link link, LockName name, RequestId request) throws SQLException {
    return answers.release(link, Map.of("name", name.bytes(), "mark", QueueText.mark(request)));
  }

  Revocation revoke(Link link, Observed head, RevokeWhen when) throws SQLException {
    Map<String, Object> parameters =
        Map.of(
            "name", head.name().bytes(),
            "number", head.number(),
            "head", QueueText.mark(head.request()),
            "notice", head.request() + ";",
            "holder", head.request().session().value());
    link.change(dialect.notifyRevoked(), parameters);
    return switch (when) {
      case SAFELY -> revokeSafely(link, head, parameters);
      case NOW -> evict(link, parameters);
    };
  }

  /** During the restart guard a session that is over proves nothing: its holder may believe. */
  private Revocation revokeSafely(Link link, Observed head, Map<String, Object> parameters)
      throws SQLException {
    Optional<Long> left = answers.markRevoked(link, parameters);
    if (left.isEmpty()) {
      return new Revocation.Changed();
    }
    long guard =
        restartGuard == RestartGuard.ON
            ? standing(link, head.name(), head.request().session()).guard()
            : 0;
    long remaining = Math.max(left.get(), guard);
    return remaining > 0
        ? new Revocation.Marked(StoreTime.duration(remaining))
        : evict(link, parameters);
  }

  private Revocation evict(Link link, Map<String, Object> parameters) throws SQLException {
    return link.change(dialect.evict(), parameters) > 0
        ? new Revocation.Freed()
        : new Revocation.Changed();
  }
}
