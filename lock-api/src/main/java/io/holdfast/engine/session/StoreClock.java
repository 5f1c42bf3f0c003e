package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockEvent;
import io.holdfast.SessionId;
import io.holdfast.engine.seam.Lease.Stamp;
import io.holdfast.engine.turn.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Tells when the store's clock jumps: a step above the namespace's bound can cost exclusivity.
 * Where this machine's clocks disagree because it slept or its wall clock was set, the one that
 * agrees with the store is right.
 */
final class StoreClock {

  /**
   * What the store's clock showed at some moment between two of this process.
   *
   * @param store what it showed, if it has a clock to tell
   * @param sent when it was asked for
   * @param answered when it was told
   */
  record Reading(Optional<Instant> store, Stamp sent, Stamp answered) {
    Duration doubt() {
      return Duration.ofNanos(answered.nanos() - sent.nanos());
    }
  }

  private final SessionId session;
  private final Duration maxStep;
  private Reading last;

  StoreClock(SessionId session, Duration maxStep, Reading first) {
    this.session = session;
    this.maxStep = maxStep;
    this.last = first;
  }

  @GuardedBy("turn.lock")
  void reads(Reading now, Turn turn) {
    Reading before = last;
    last = now;
    if (before.store().isEmpty() || now.store().isEmpty()) {
      return;
    }
    Duration store = Duration.between(before.store().get(), now.store().get());
    Duration own = Duration.ofNanos(now.answered().nanos() - before.answered().nanos());
    Duration wall = Duration.ofMillis(now.answered().wallMillis() - before.answered().wallMillis());
    Duration bound = maxStep.plus(before.doubt()).plus(now.doubt());
    if (store.minus(own).abs().compareTo(bound) > 0
        && store.minus(wall).abs().compareTo(bound) > 0) {
      turn.emit(new LockEvent.ClockSkewed(session, store, own));
    }
  }
}
