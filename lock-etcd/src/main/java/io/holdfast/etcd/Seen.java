package io.holdfast.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.Holder;
import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.Waiter;
import io.holdfast.spi.RequestKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A lock at one moment: who stands in its queue, in order, and what was revoked.
 *
 * @param namespace what numbers are counted from
 * @param places the first of the queue, or all of it
 * @param marks when requests were revoked, by the key of their mark; and their timers
 */
record Seen(
    Keys keys,
    Namespace namespace,
    LockName name,
    List<Place> places,
    Map<ByteSequence, KeyValue> marks) {

  /** etcd tells the time of leases in whole seconds, the last begun one left out. */
  private static final Duration SECOND = Duration.ofSeconds(1);

  static Seen of(
      Keys keys, Namespace namespace, LockName name, List<KeyValue> places, List<KeyValue> marks) {
    Map<ByteSequence, KeyValue> byKey = new HashMap<>();
    marks.forEach(mark -> byKey.put(mark.getKey(), mark));
    return new Seen(
        keys, namespace, name, places.stream().map(entry -> Place.of(keys, entry)).toList(), byKey);
  }

  Optional<Place> head() {
    return places.stream().findFirst();
  }

  /**
   * Whether a request is alive, or was revoked a whole TTL ago. It is there, so it has not ended.
   */
  Liveness liveness(Place place) {
    boolean due = revokedAt(place).isPresent() && timer(place).isEmpty();
    return due ? Liveness.REVOCATION_DUE : Liveness.LIVE;
  }

  Optional<Instant> revokedAt(Place place) {
    return Optional.ofNullable(marks.get(keys.mark(key(place))))
        .map(mark -> Instant.parse(mark.getValue().toString(StandardCharsets.UTF_8)));
  }

  Optional<KeyValue> timer(Place place) {
    return Optional.ofNullable(marks.get(keys.timer(key(place))));
  }

  /**
   * Returns how long until the head may be removed after it was revoked; empty if it was not: etcd
   * itself takes away what lapses, and whoever waits behind it is told.
   */
  Optional<Duration> headDue(Steps steps) {
    return head().flatMap(this::timer).map(timer -> steps.remaining(timer.getLease()).plus(SECOND));
  }

  private RequestKey key(Place place) {
    return new RequestKey(name, place.request());
  }

  /** The record of the lock, where all of its queue was read. */
  LockRecord record() {
    return new LockRecord(
        name,
        head().map(head -> namespace.number(head.revision())).orElse(0L),
        head().map(this::holder),
        places.stream()
            .skip(1)
            // Also who only looks: it is about to leave, but until it has, it is in the way.
            .map(place -> new Waiter(place.request(), place.mode(), place.process(), place.why()))
            .toList());
  }

  private Holder holder(Place head) {
    return new Holder(
        head.request(),
        head.mode(),
        head.process(),
        head.why(),
        head.payload(),
        head.since(),
        liveness(head),
        revokedAt(head));
  }
}
