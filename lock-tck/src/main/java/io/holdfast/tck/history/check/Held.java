package io.holdfast.tck.history.check;

import static java.util.Comparator.comparingLong;

import io.holdfast.tck.history.RequestTimeline;
import java.util.List;

/**
 * What is certain about when a grant was held.
 *
 * <p>It was held at some moment no later than {@link #heldBy}, when acquire returned it, and at
 * some moment no earlier than {@link #heldAfter}, the last call that answered "held", or else the
 * call of acquire. In between it was held without a break: where its lease was in doubt for a
 * while, it was either saved before anybody else could get the lock, or is believed wrongly. So of
 * two grants, if one was held by a moment after which the other was held, it came first; and if
 * that is so both ways, they were held together.
 */
record Held(RequestTimeline timeline) {

  /** Returns the grants among the requests, in the order in which acquire returned them. */
  static List<Held> all(List<RequestTimeline> timelines) {
    return timelines.stream()
        .filter(timeline -> timeline.granted().isPresent())
        .map(Held::new)
        .sorted(comparingLong(Held::heldBy))
        .toList();
  }

  /** Returns an instant by which it was held. */
  long heldBy() {
    return timeline.granted().orElseThrow().at();
  }

  /** Returns an instant at or after which it was held. */
  long heldAfter() {
    return timeline
        .lastBelief()
        .map(belief -> belief.call().before())
        .orElse(timeline.requested().at());
  }

  boolean isShared() {
    return timeline.isShared();
  }

  boolean togetherWith(Held other) {
    return heldBy() < other.heldAfter() && other.heldBy() < heldAfter();
  }
}
