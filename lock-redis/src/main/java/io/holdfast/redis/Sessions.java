package io.holdfast.redis;

import static io.holdfast.redis.script.Arguments.ascii;
import static io.holdfast.redis.script.Arguments.utf8;

import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.redis.connection.RedisClient.CallKind;
import io.holdfast.redis.connection.ServerFacts;
import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.spi.support.Micros;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verbs on sessions. A session is a key. A session is over if it has no key, or if its key was
 * written before an incarnation that may have lost grants.
 */
final class Sessions {

  private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);

  private final Namespace namespace;
  private final byte[] channel;
  private final SessionRequests requests;
  private final AtomicBoolean mayEvict = new AtomicBoolean();

  private final SessionPlaces places;

  /** A session that was renewed, where it is. */
  private record Found(int partition, Renewed.Alive alive) {}

  Sessions(Namespace namespace, byte[] channel) {
    this.namespace = namespace;
    this.channel = channel.clone();
    this.places = new SessionPlaces(namespace);
    this.requests = new SessionRequests(namespace, channel);
  }

  Opened open(SessionSpec spec, Deadline deadline) {
    NamespaceSettings settings = namespace.settle(spec.partition(), deadline);
    settings.requireTtl(spec.ttl());
    @Nullable Object answer =
        namespace.run(
            Script.OPEN,
            CallKind.VERB,
            spec.partition(),
            deadline,
            ascii(spec.id()),
            ascii(Micros.exactly("The TTL", spec.ttl())),
            channel,
            utf8(spec.process().value()));
    if (answer == null) {
      throw new BackendFailure(
          Effect.NONE,
          "The namespace settings at %s were deleted while a session was opened. Try again."
              .formatted(namespace.describe()),
          null);
    }
    Reply reply = Reply.of(answer);
    if (reply.size() == 0) {
      // A client that repeats what was not answered may have opened it itself. When, is not known.
      throw new BackendFailure(
          Effect.UNKNOWN,
          "A session with the id %s is at %s already.".formatted(spec.id(), namespace.describe()),
          null);
    }
    if (reply.text(0).isEmpty()) {
      throw ServerFacts.evicts(namespace.describe(), reply.text(1));
    }
    places.remember(spec.id(), spec.partition());
    return new Opened(spec.ttl(), settings, Optional.of(reply.instant(0)));
  }

  Renewed renew(SessionId session, Deadline deadline) {
    return find(session, deadline).<Renewed>map(Found::alive).orElseGet(Renewed.Over::new);
  }

  private Optional<Found> find(SessionId session, Deadline deadline) {
    Optional<Found> found =
        places.ask(session, deadline, (partition, share) -> renew(session, partition, share));
    found.ifPresentOrElse(
        where -> places.remember(session, where.partition()), () -> places.forget(session));
    return found;
  }

  private Optional<Found> renew(SessionId session, int partition, Deadline deadline) {
    @Nullable Object answer =
        namespace.run(Script.RENEW, CallKind.HEARTBEAT, partition, deadline, ascii(session));
    if (answer == null) {
      return Optional.empty();
    }
    Reply reply = Reply.of(answer);
    warnOfEviction(reply.text(2));
    return Optional.of(
        new Found(
            partition,
            new Renewed.Alive(
                reply.duration(0), notices(reply.from(3)), Optional.of(reply.instant(1)))));
  }

  /** Renews first: none of its requests is removed any more while they are looked for. */
  Optional<Resumed> resume(SessionId session, Deadline deadline) {
    return find(session, deadline).flatMap(found -> resume(session, found, deadline));
  }

  private Optional<Resumed> resume(SessionId session, Found found, Deadline deadline) {
    try {
      NamespaceSettings settings = namespace.settle(found.partition(), deadline);
      return requests
          .of(session, found.partition(), deadline)
          .map(all -> new Resumed(found.alive().ttl(), settings, List.copyOf(all)));
    } catch (RuntimeException e) {
      throw BackendFailure.halfway(e);
    }
  }

  /** Warns once if the eviction policy was changed while locks are held. */
  private void warnOfEviction(String policy) {
    boolean evicts = ServerFacts.mayEvict(policy);
    if (evicts && mayEvict.compareAndSet(false, true)) {
      LOG.warn(
          "{} may remove locks when its memory is full, and their holders would learn of it late or never: its maxmemory-policy was set to {}. Set it to noeviction",
          namespace.describe(),
          policy);
    } else if (!evicts) {
      mayEvict.set(false);
    }
  }

  private static List<Notice> notices(Reply reply) {
    return IntStream.range(0, reply.size() / 2)
        .<Notice>mapToObj(
            i -> new Notice.Revoked(RequestId.parse(reply.text(2 * i)), reply.duration(2 * i + 1)))
        .toList();
  }

  Ended close(SessionId session, Deadline deadline) {
    Optional<String> unused = ask(Script.CLOSE, session, ascii(session), deadline);
    places.forget(session);
    return Ended.OVER;
  }

  Ended endLapsed(SessionId session, Deadline deadline) {
    return ask(Script.END, session, ascii(session), deadline).filter("alive"::equals).isPresent()
        ? Ended.ALIVE
        : Ended.OVER;
  }

  void acknowledge(RequestId request, Deadline deadline) {
    Optional<String> unused = ask(Script.ACKNOWLEDGE, request.session(), ascii(request), deadline);
  }

  /** Returns what the partition of a session answers; empty if the session is in none. */
  private Optional<String> ask(
      Script script, SessionId session, byte[] argument, Deadline deadline) {
    return places.ask(
        session,
        deadline,
        (partition, share) ->
            Optional.of(
                    Reply.text(namespace.run(script, CallKind.VERB, partition, share, argument)))
                .filter(answer -> !answer.equals("absent")));
  }
}
