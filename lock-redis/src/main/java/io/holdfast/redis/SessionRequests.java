package io.holdfast.redis;

import static io.holdfast.redis.script.Arguments.ascii;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.redis.connection.RedisClient.CallKind;
import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.RequestKey;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds what a session holds and waits for, where only the queues tell. */
final class SessionRequests {

  /** How many requests one script examines: a script holds up the whole server. */
  private static final int BATCH = 200;

  private static final byte[] FROM_THE_START = {'-'};

  private final Namespace namespace;
  private final byte[] channel;

  /**
   * Creates it.
   *
   * @param channel where hints for the session are sent from then on
   */
  SessionRequests(Namespace namespace, byte[] channel) {
    this.namespace = namespace;
    this.channel = channel.clone();
  }

  /** Returns the requests of a session in its partition; empty if the session is over. */
  Optional<Set<RequestKey>> of(SessionId session, int partition, Deadline deadline) {
    // A request that comes to hold while its queue is examined is told twice.
    Set<RequestKey> found = new LinkedHashSet<>();
    byte[] from = FROM_THE_START;
    byte[] position = ascii(0);
    while (from.length > 0) {
      @Nullable Object answer =
          namespace.run(
              Script.RESUME,
              CallKind.VERB,
              partition,
              deadline,
              ascii(session),
              channel,
              ascii(BATCH),
              from,
              position);
      if (answer == null) {
        return Optional.empty();
      }
      Reply reply = Reply.of(answer);
      from = reply.bytes(0);
      position = reply.bytes(1);
      for (int i = 2; i < reply.size(); i += 2) {
        LockName name = new LockName(reply.text(i));
        found.add(new RequestKey(name, RequestId.parse(reply.text(i + 1))));
      }
    }
    return Optional.of(found);
  }
}
