package io.holdfast.redis;

import static io.holdfast.redis.script.Arguments.ascii;
import static io.holdfast.redis.script.Arguments.flag;

import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.Retirement;
import io.holdfast.record.Retirement.InUse;
import io.holdfast.record.Retirement.LiveSession;
import io.holdfast.redis.connection.OwnClient;
import io.holdfast.redis.connection.RedisClient;
import io.holdfast.redis.connection.RedisClient.CallKind;
import io.holdfast.redis.connection.RedisUri;
import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.NamespaceSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Retires the keys of an older layout: in each partition by one script, and in none before all were
 * found to be without a live session.
 */
final class Retirements {

  /** How many live sessions of a partition are told. */
  private static final int TOLD_MAX = 10;

  private static final String LIVE = "live";
  private static final String PRESENT = "present";
  private static final int FIRST_SESSION = 3;
  private static final int PARTS_OF_SESSION = 3;

  private final RedisClient redis;
  private final Deadline deadline;

  private Retirements(RedisClient redis, Deadline deadline) {
    this.redis = redis;
    this.deadline = deadline;
  }

  static Retirement retire(RedisUri uri, Deadline deadline) {
    try (OwnClient redis = OwnClient.ofFormer(uri)) {
      return new Retirements(redis, deadline).retire();
    }
  }

  private Retirement retire() {
    int start = Namespace.FIRST;
    Optional<Reply> first = ask(start, false);
    while (first.isEmpty() && start + 1 < Namespace.SEARCHED) {
      start++;
      first = ask(start, false);
    }
    if (first.isEmpty()) {
      return new Retirement.Nothing();
    }
    List<Integer> former = new ArrayList<>();
    List<LiveSession> live = new ArrayList<>();
    int protocol = Script.PROTOCOL;
    for (int partition = start; partition < first.get().number(2); partition++) {
      Optional<Reply> found = partition == start ? first : ask(partition, false);
      if (found.isPresent() && !found.get().text(0).equals(PRESENT)) {
        former.add(partition);
        protocol = (int) found.get().number(1);
        live.addAll(live(found.get()));
      }
    }
    NamespaceSettings.requireOld(protocol, Script.PROTOCOL, redis.describe());
    if (!live.isEmpty()) {
      return new InUse(protocol, live);
    }
    for (int partition : former) {
      Optional<Reply> done = ask(partition, true);
      if (done.isPresent() && done.get().text(0).equals(LIVE)) {
        return new InUse(protocol, live(done.get()));
      }
    }
    return new Retirement.Retired(protocol);
  }

  private Optional<Reply> ask(int partition, boolean retire) {
    @Nullable Object answer =
        redis.run(
            Script.RETIRE,
            CallKind.VERB,
            partition,
            List.of(flag(retire), ascii(TOLD_MAX)),
            deadline);
    return answer == null ? Optional.empty() : Optional.of(Reply.of(answer));
  }

  private static List<LiveSession> live(Reply reply) {
    List<LiveSession> live = new ArrayList<>();
    for (int at = FIRST_SESSION; at < reply.size(); at += PARTS_OF_SESSION) {
      live.add(
          new LiveSession(
              new SessionId(reply.text(at)),
              new ProcessIdentity(reply.text(at + 1)),
              reply.duration(at + 2)));
    }
    return live;
  }
}
