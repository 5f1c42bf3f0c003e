package io.holdfast.redis;

import static io.holdfast.redis.RedisLockBackend.ascii;
import static io.holdfast.redis.RedisLockBackend.utf8;

import io.holdfast.BadRequestException;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.redis.Redis.Lane;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Ended;
import io.holdfast.spi.Micros;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.Notice;
import io.holdfast.spi.Opened;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.SessionSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The verbs on sessions. A session is a key; one that is over has none, or one of another life. */
final class Sessions {

  private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);

  private final Namespace namespace;
  private final byte[] channel;
  private final AtomicBoolean mayEvict = new AtomicBoolean();

  /** Where the sessions lie that this client opened; others are looked for everywhere. */
  private final Map<SessionId, Integer> partitions = new ConcurrentHashMap<>();

  Sessions(Namespace namespace, byte[] channel) {
    this.namespace = namespace;
    this.channel = channel.clone();
  }

  Opened open(SessionSpec spec, Deadline deadline) {
    NamespaceSettings settings = namespace.settle(spec.partition(), deadline);
    settings.requireTtl(spec.ttl());
    @Nullable Object answer =
        namespace.run(
            Script.OPEN,
            Lane.VERB,
            spec.partition(),
            deadline,
            ascii(spec.id()),
            ascii(Micros.exactly("The TTL", spec.ttl())),
            channel,
            utf8(spec.process().value()));
    if (answer == null) {
      throw new BackendFailure(
          Effect.NONE,
          "The settings just read at %s are gone.".formatted(namespace.describe()),
          null);
    }
    Reply reply = Reply.of(answer);
    if (reply.size() == 0) {
      throw new BadRequestException("The session id %s was used before.".formatted(spec.id()));
    }
    if (reply.text(0).isEmpty()) {
      throw Attached.evicts(namespace.describe(), reply.text(1));
    }
    partitions.put(spec.id(), spec.partition());
    return new Opened(spec.ttl(), settings, Optional.of(reply.instant(0)));
  }

  Renewed renew(SessionId session, Deadline deadline) {
    for (int partition : partitionsOf(session)) {
      @Nullable Object answer =
          namespace.run(Script.RENEW, Lane.HEARTBEAT, partition, deadline, ascii(session));
      if (answer != null) {
        Reply reply = Reply.of(answer);
        tellEviction(reply.text(3));
        return new Renewed.Alive(
            reply.duration(0), notices(reply.text(1)), Optional.of(reply.instant(2)));
      }
    }
    partitions.remove(session);
    return new Renewed.Over();
  }

  /** Somebody may set it while locks are held: then it is said once. */
  private void tellEviction(String policy) {
    boolean evicts = Attached.mayEvict(policy);
    if (evicts && mayEvict.compareAndSet(false, true)) {
      LOG.warn(
          "{} may remove locks when its memory is full, and their holders would hear of it late or never: its maxmemory-policy was set to {}. Set it to noeviction",
          namespace.describe(),
          policy);
    } else if (!evicts) {
      mayEvict.set(false);
    }
  }

  private static List<Notice> notices(String text) {
    return Arrays.stream(text.split(";", -1))
        .filter(request -> !request.isEmpty())
        .<Notice>map(request -> new Notice.Revoked(RequestId.parse(request)))
        .toList();
  }

  Ended close(SessionId session, Deadline deadline) {
    for (int partition : partitionsOf(session)) {
      namespace.run(Script.CLOSE, Lane.VERB, partition, deadline, ascii(session));
    }
    partitions.remove(session);
    return Ended.OVER;
  }

  Ended endLapsed(SessionId session, Deadline deadline) {
    for (int partition : partitionsOf(session)) {
      String answer =
          Reply.text(namespace.run(Script.END, Lane.VERB, partition, deadline, ascii(session)));
      if (answer.equals("alive")) {
        return Ended.ALIVE;
      }
    }
    return Ended.OVER;
  }

  void acknowledge(RequestId request, Deadline deadline) {
    for (int partition : partitionsOf(request.session())) {
      namespace.run(Script.ACKNOWLEDGE, Lane.VERB, partition, deadline, ascii(request));
    }
  }

  private int[] partitionsOf(SessionId session) {
    @Nullable Integer known = partitions.get(session);
    return known == null ? IntStream.range(0, namespace.partitions()).toArray() : new int[] {known};
  }
}
