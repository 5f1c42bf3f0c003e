package io.holdfast.memory.toy;

import io.holdfast.error.LossReason;
import io.holdfast.memory.toy.ToyEntry.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** One session of a toy client, with its lease. */
final class ToySession {

  final int id;
  final AtomicLong serials = new AtomicLong();
  private final ToyStore store;
  private final long leaseNanos;
  private final Set<ToyGrant> grants = ConcurrentHashMap.newKeySet();
  private volatile long leaseEndNanos;
  private volatile Optional<LossReason> lost = Optional.empty();

  private ToySession(ToyStore store, int id, long leaseNanos, long sentNanos) {
    this.store = store;
    this.id = id;
    this.leaseNanos = leaseNanos;
    this.leaseEndNanos = sentNanos + leaseNanos;
  }

  static ToySession open(ToyStore store, Duration ttl) {
    long sent = System.nanoTime();
    int id = store.step(Kind.OPEN, 0, Math.toIntExact(ttl.toMillis()), ToyStore.nowMillis());
    return new ToySession(store, id, ttl.toNanos() * 9 / 10, sent);
  }

  boolean isOver() {
    return store.read(state -> state.isOver(id));
  }

  boolean isInForce() {
    return System.nanoTime() - leaseEndNanos < 0;
  }

  Duration remaining() {
    return Duration.ofNanos(Math.max(0, leaseEndNanos - System.nanoTime()));
  }

  void add(ToyGrant grant) {
    grants.add(grant);
    lost.ifPresent(grant::lose);
  }

  void remove(ToyGrant grant) {
    grants.remove(grant);
  }

  /** Returns whether it lives on. */
  boolean renew() {
    long sent = System.nanoTime();
    store.step(Kind.RENEW, 0, id, ToyStore.nowMillis());
    if (isOver()) {
      lose(LossReason.SESSION_ENDED);
      return false;
    }
    leaseEndNanos = sent + leaseNanos;
    return true;
  }

  void lose(LossReason reason) {
    lost = Optional.of(reason);
    grants.forEach(grant -> grant.lose(reason));
  }
}
