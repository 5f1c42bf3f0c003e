package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.LeaseTimes;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.record.Liveness;
import io.holdfast.record.Stay;
import io.holdfast.record.Stay.Reason;
import io.holdfast.spi.RequestKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The marks of a lock's requests, by key, at one moment. */
record Marks(Keys keys, Map<ByteSequence, KeyValue> byKey) {

  static Marks of(Keys keys, List<KeyValue> found) {
    Map<ByteSequence, KeyValue> byKey = new HashMap<>();
    found.forEach(mark -> byKey.put(mark.getKey(), mark));
    return new Marks(keys, byKey);
  }

  Optional<KeyValue> find(RequestKey request, Mark mark) {
    return Optional.ofNullable(byKey.get(keys.mark(request, mark)));
  }

  private boolean has(RequestKey request, Mark mark) {
    return find(request, mark).isPresent();
  }

  boolean isGivenBack(RequestKey request) {
    return has(request, Mark.GIVEN_BACK);
  }

  /** Whether it has a lock-delay that has not begun. */
  boolean hasDelayLeft(RequestKey request) {
    return find(request, Mark.DELAY).filter(delay -> delay.getLease() == 0).isPresent();
  }

  /** Whether its lock-delay runs. */
  private boolean isInDelay(RequestKey request) {
    return find(request, Mark.DELAY).filter(delay -> delay.getLease() != 0).isPresent();
  }

  /** A request without a lock-delay leaves its queue together with its session. */
  private boolean isSessionOver(RequestKey request) {
    return hasDelayLeft(request) && !has(request, Mark.ALIVE);
  }

  /**
   * Whether the request, which is in the queue, is its owner's: not if it was given back, and not
   * if its session is over.
   */
  boolean isItsOwners(RequestKey request) {
    return !isGivenBack(request) && !isInDelay(request) && !isSessionOver(request);
  }

  /** Returns whether a request, which is in the queue, counts. */
  Liveness liveness(RequestKey request) {
    if (isGivenBack(request) || isInDelay(request)) {
      return Liveness.STAYING; // Its lease takes it away.
    }
    if (isSessionOver(request)) {
      return Liveness.ENDED;
    }
    return isRevoked(request) && !has(request, Mark.TIMER)
        ? Liveness.REVOCATION_DUE
        : Liveness.LIVE;
  }

  boolean isRevoked(RequestKey request) {
    return has(request, Mark.REVOKED);
  }

  Optional<Instant> revokedAt(RequestKey request) {
    return find(request, Mark.REVOKED).map(mark -> Instant.parse(text(mark)));
  }

  /** Returns the lock-delay of a request that has one. */
  Duration lockDelay(RequestKey request) {
    return Duration.ofMillis(Long.parseLong(text(find(request, Mark.DELAY).orElseThrow())));
  }

  private static String text(KeyValue mark) {
    return mark.getValue().toString(StandardCharsets.UTF_8);
  }

  /** Whether they tell nothing but that sessions live: each of these requests counts. */
  boolean areQuiet() {
    return byKey.keySet().stream().allMatch(this::isQuiet);
  }

  private boolean isQuiet(ByteSequence key) {
    return keys.requestMarked(key, Mark.ALIVE).isPresent()
        || keys.requestMarked(key, Mark.DELAY).filter(this::isItsOwners).isPresent();
  }

  /** Returns the leases with which times of some requests are over. */
  Stream<Long> timedLeases(List<RequestKey> requests) {
    return requests.stream().flatMap(request -> timed(request).stream());
  }

  /** Asks how long the times of some requests last. */
  LeaseTimes times(EtcdCalls calls, List<RequestKey> requests) {
    return calls.leaseTimes(timedLeases(requests).toList());
  }

  /** Returns the lease with which a time of the request is over. */
  private Optional<Long> timed(RequestKey request) {
    return Stream.of(Mark.GIVEN_BACK, Mark.DELAY, Mark.TIMER)
        .filter(mark -> mark != Mark.TIMER || isRevoked(request))
        .flatMap(mark -> find(request, mark).stream())
        .map(KeyValue::getLease)
        .filter(lease -> lease != 0)
        .findFirst();
  }

  /** Returns the stay of a request, of which the times tell; empty if it has none. */
  Optional<Stay> stay(RequestKey request, LeaseTimes times) {
    Duration left = timed(request).map(times::atMost).orElse(Duration.ZERO);
    if (isGivenBack(request)) {
      return Optional.of(new Stay(Reason.AT_LEAST, left));
    }
    if (isInDelay(request)) {
      return Optional.of(new Stay(Reason.LOCK_DELAY, left));
    }
    return isRevoked(request) ? Optional.of(new Stay(Reason.REVOKED, left)) : Optional.empty();
  }

  /**
   * Asks how long until the first of some requests may be removed, or leaves by itself; empty if
   * none has a time. etcd itself removes requests that lapse, and the watch of the next request
   * reports that.
   */
  Optional<Duration> firstDue(EtcdCalls calls, List<RequestKey> requests) {
    return firstDue(requests, times(calls, requests));
  }

  Optional<Duration> firstDue(List<RequestKey> requests, LeaseTimes times) {
    return timedLeases(requests).map(times::atMost).min(Comparator.naturalOrder());
  }
}
