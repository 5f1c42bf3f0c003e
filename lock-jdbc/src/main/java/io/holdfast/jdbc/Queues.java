package io.holdfast.jdbc;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Observed;
import io.holdfast.spi.QueueText;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

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

  /** How a request stands, and for how many more microseconds nobody is granted anything. */
  private record Standing(boolean sessionLives, RecordRow row, long guard) {}

  Queues(Database database, RestartGuard restartGuard) {
    this.database = database;
    this.restartGuard = restartGuard;
    this.dialect = database.dialect();
    this.answers = dialect.answers();
  }

  Attempt grab(Link link, Request request) throws SQLException {
    Map<String, Object> parameters = parameters(request);
    parameters.put("join", request.ifHeld() == IfHeld.QUEUE ? 1 : 0);
    parameters.put("cap", QUEUE_MAX);
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
      Standing standing = standing(link, request);
      Attempt answer = answer(standing, request.id());
      boolean freedMeanwhile = answer instanceof Attempt.Refused && standing.row().isFree();
      if (!freedMeanwhile || left == 1) {
        return answer;
      }
    }
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
    return answer(standing(link, request), request.id());
  }

  private Standing standing(Link link, Request request) throws SQLException {
    return link
        .read(
            dialect.standing(),
            Map.of("name", request.name().bytes(), "session", request.id().session().value()),
            row ->
                new Standing(
                    row.getBoolean("mine"),
                    row.getBytes("name") == null
                        ? RecordRow.unknown(request.name())
                        : RecordRow.read(row, database.incarnation(link)),
                    row.getLong("guard") - row.getLong("now")))
        .stream()
        .findFirst()
        .orElse(new Standing(false, RecordRow.unknown(request.name()), 0));
  }

  private Attempt answer(Standing standing, RequestId request) {
    RecordRow row = standing.row();
    if (!standing.sessionLives()) {
      return new Attempt.SessionOver();
    }
    if (row.isHeldBy(request)) {
      return new Attempt.Granted(row.number(), StoreTime.instant(row.since()));
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
    return new Attempt.Refused(row.toRecord());
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
            "request", head.request().toString(),
            "holder", head.request().session().value());
    link.change(dialect.notifyRevoked(), parameters);
    return switch (when) {
      case SAFELY ->
          answers
              .markRevoked(link, parameters)
              .<Revocation>map(left -> new Revocation.Marked(StoreTime.duration(left)))
              .orElseGet(Revocation.Changed::new);
      case NOW ->
          link.change(dialect.evict(), parameters) > 0
              ? new Revocation.Freed()
              : new Revocation.Changed();
    };
  }
}
