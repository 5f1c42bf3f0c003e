package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.Liveness;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.RequestKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The marks of a lock's revoked requests and their timers, by key, at one moment. */
record Marks(Keys keys, Map<ByteSequence, KeyValue> byKey) {

  /** etcd rounds the remaining time of leases down to whole seconds. */
  private static final Duration SECOND = Duration.ofSeconds(1);

  static Marks of(Keys keys, List<KeyValue> found) {
    Map<ByteSequence, KeyValue> byKey = new HashMap<>();
    found.forEach(mark -> byKey.put(mark.getKey(), mark));
    return new Marks(keys, byKey);
  }

  /**
   * Returns whether a request is live or was revoked a whole TTL ago. It is in the queue, so its
   * session is not over.
   */
  Liveness liveness(RequestKey request) {
    boolean due = revokedAt(request).isPresent() && timer(request).isEmpty();
    return due ? Liveness.REVOCATION_DUE : Liveness.LIVE;
  }

  Optional<Instant> revokedAt(RequestKey request) {
    return Optional.ofNullable(byKey.get(keys.mark(request)))
        .map(mark -> Instant.parse(mark.getValue().toString(StandardCharsets.UTF_8)));
  }

  Optional<KeyValue> timer(RequestKey request) {
    return Optional.ofNullable(byKey.get(keys.timer(request)));
  }

  /**
   * Returns how long until a revoked request may be removed; empty if it was not revoked. etcd
   * itself removes requests that lapse, and the watch of the next request reports that.
   */
  Optional<Duration> due(EtcdCalls calls, RequestKey request) {
    return timer(request).map(timer -> calls.remaining(timer.getLease()).plus(SECOND));
  }
}
