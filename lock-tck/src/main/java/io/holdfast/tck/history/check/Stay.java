package io.holdfast.tck.history.check;

import io.holdfast.ReleaseOutcome;
import io.holdfast.tck.history.HistoryEvent;
import io.holdfast.tck.history.RequestTimeline;
import io.holdfast.tck.history.Wanted;
import java.time.Duration;
import java.util.Optional;

/**
 * A time for which a lock is taken although no client holds it.
 *
 * @param held the grant after which it is
 * @param cause the event that began it
 * @param untilNanos an instant before which it surely is not over
 */
record Stay(Held held, HistoryEvent cause, long untilNanos) {

  /** The clocks of processes and stores run at rates that differ by a hundredth at most. */
  private static final double RATE_MARGIN = 0.99;

  /**
   * Returns the stay of a grant that was given back before its least time was up. That time counts
   * from when acquire returned, which is told only afterwards; but acquire had not been called
   * before, and the holder before had the lock until then.
   */
  static Optional<Stay> afterRelease(Held held, StayRule.ByMode heldBefore) {
    RequestTimeline timeline = held.timeline();
    long acquired =
        heldBefore
            .besides(held)
            .above(timeline.requested().at(), timeline.token().value(), timeline.tag())
            .map(Held::heldAfter)
            .orElse(timeline.requested().at());
    long until = after(acquired, wanted(held).atLeast());
    return timeline.releases().stream()
        .filter(released -> released.outcome() == ReleaseOutcome.STAYS)
        .findFirst()
        .map(released -> new Stay(held, released, until));
  }

  /**
   * Returns the stay of a grant whose process was halted while it was surely held: its lease was in
   * force, and no thread had begun to give it back. The lock-delay begins when a client finds the
   * session over, which is not before the end of the lease.
   */
  static Optional<Stay> afterDeath(Held held, Halts halts) {
    RequestTimeline timeline = held.timeline();
    Wanted wanted = wanted(held);
    if (wanted.lockDelay().isZero() || wanted.atMost().isPresent()) {
      return Optional.empty();
    }
    return halts
        .of(timeline)
        .filter(halt -> halt.isBefore(timeline.releasing().map(HistoryEvent::at)))
        .filter(halt -> halt.isBefore(timeline.losses().stream().map(HistoryEvent::at).findFirst()))
        .flatMap(
            halt ->
                halt.lastBelief(timeline)
                    .map(belief -> belief.call().before() + belief.left().toNanos())
                    .filter(leaseEnd -> halt.at() <= leaseEnd)
                    .map(leaseEnd -> after(leaseEnd, wanted.lockDelay()))
                    .map(until -> new Stay(held, halt.event(), Math.min(until, halt.until()))));
  }

  private static Wanted wanted(Held held) {
    return held.timeline().requested().wanted();
  }

  private static long after(long instant, Duration time) {
    return instant + (long) (time.toNanos() * RATE_MARGIN);
  }
}
