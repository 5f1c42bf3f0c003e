package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockEvent;
import io.holdfast.SessionId;
import io.holdfast.engine.seam.Lease.Stamp;
import io.holdfast.engine.turn.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;

/**
 * Tells when the store's clock jumps: steps within one TTL that are above the namespace's bound,
 * all together, can cost exclusivity. Where this machine's clocks disagree because it slept or its
 * wall clock was set, the one that agrees with the store is right.
 */
final class StoreClock {

  /**
   * The time that the store's clock showed at some moment between two of this process.
   *
   * @param store the time that it showed, if it has a clock to tell
   * @param sent when it was asked for
   * @param answered when it was told
   */
  record Reading(Optional<Instant> store, Stamp sent, Stamp answered) {
    Duration doubt() {
      return Duration.ofNanos(answered.nanos() - sent.nanos());
    }
  }

  /** A reading, and by how much the store's clock went further since the one before it. */
  private record Step(Reading reading, Duration ahead) {}

  private final SessionId session;
  private final Duration window;
  private final Duration maxStep;
  private final double rateBound;

  /** Those of the last TTL, in which many small steps count as one; never empty. */
  private final Deque<Step> lately = new ArrayDeque<>();

  /**
   * Follows the clock from a first reading on.
   *
   * @param window within which the clock may not step further than it may in all
   */
  StoreClock(
      SessionId session, Duration window, Duration maxStep, double rateBound, Reading first) {
    this.session = session;
    this.window = window;
    this.maxStep = maxStep;
    this.rateBound = rateBound;
    lately.add(new Step(first, Duration.ZERO));
  }

  @GuardedBy("turn.lock")
  void reads(Reading now, Turn turn) {
    lately.add(new Step(now, ahead(lately.getLast().reading(), now)));
    while (lately.size() > 2 && own(lately.getFirst().reading(), now).compareTo(window) > 0) {
      lately.removeFirst();
    }
    Optional<Reading> beforeTheJump = beforeTheJump(now);
    if (beforeTheJump.isPresent()) {
      Reading before = beforeTheJump.get();
      turn.emit(new LockEvent.ClockSkewed(session, store(before, now), own(before, now)));
      lately.clear(); // It is told once.
      lately.add(new Step(now, Duration.ZERO));
    }
  }

  /** Returns the last reading since which the store's clock has gone too far, in all. */
  private Optional<Reading> beforeTheJump(Reading now) {
    Duration ahead = Duration.ZERO;
    Iterator<Step> backwards = lately.descendingIterator();
    Step later = backwards.next();
    while (backwards.hasNext()) {
      ahead = ahead.plus(later.ahead());
      later = backwards.next();
      if (ahead.abs().compareTo(bound(later.reading(), now)) > 0) {
        return Optional.of(later.reading());
      }
    }
    return Optional.empty();
  }

  private Duration bound(Reading before, Reading now) {
    Duration rates = Duration.ofNanos((long) (rateBound * own(before, now).toNanos()));
    return maxStep.plus(rates).plus(before.doubt()).plus(now.doubt());
  }

  private static Duration ahead(Reading before, Reading now) {
    Duration store = store(before, now);
    Duration byOwn = store.minus(own(before, now));
    Duration byWall =
        store.minusMillis(now.answered().wallMillis() - before.answered().wallMillis());
    return before.store().isEmpty() || now.store().isEmpty()
        ? Duration.ZERO
        : byOwn.abs().compareTo(byWall.abs()) < 0 ? byOwn : byWall;
  }

  private static Duration store(Reading before, Reading now) {
    return before.store().isEmpty() || now.store().isEmpty()
        ? Duration.ZERO
        : Duration.between(before.store().get(), now.store().get());
  }

  private static Duration own(Reading before, Reading now) {
    return Duration.ofNanos(now.answered().nanos() - before.answered().nanos());
  }
}
