package io.holdfast.tck.history.check;

import static java.util.Comparator.comparingLong;

import io.holdfast.FencingToken;
import io.holdfast.tck.history.HistoryEvent.Believed;
import io.holdfast.tck.history.HistoryEvent.Downgraded;
import io.holdfast.tck.history.RequestTimeline;
import io.holdfast.tck.history.Span;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The certain times at which a grant was held in one mode. A grant that was downgraded was held in
 * both, one after the other.
 *
 * <p>It was held at some moment no later than {@code heldBy}, when acquire returned it, or the
 * downgrade. It was also held at some moment no earlier than {@code heldAfter}, the last call that
 * answered "held", or else the call of acquire, or the downgrade. In between it was held without a
 * break: where its lease was in doubt for a while, it was either saved before another request could
 * get the lock, or is believed wrongly. So of two grants, if one was held by a moment after which
 * the other was held, it came first; and if that is so both ways, they were held together.
 *
 * @param heldBy an instant by which it was held
 * @param heldAfter an instant at or after which it was held
 */
record Held(
    RequestTimeline timeline, FencingToken token, boolean isShared, long heldBy, long heldAfter) {

  /** Returns the grants among the requests, in the order in which they were known to be held. */
  static List<Held> all(List<RequestTimeline> timelines) {
    return timelines.stream()
        .filter(timeline -> timeline.granted().isPresent())
        .flatMap(Held::of)
        .sorted(comparingLong(Held::heldBy))
        .toList();
  }

  private static Stream<Held> of(RequestTimeline timeline) {
    return timeline
        .downgraded()
        .map(downgraded -> Stream.of(before(downgraded, timeline), since(downgraded, timeline)))
        .orElseGet(() -> Stream.of(asGranted(timeline, belief -> true)));
  }

  private static Held asGranted(RequestTimeline timeline, Predicate<Believed> counts) {
    return new Held(
        timeline,
        timeline.token(),
        timeline.isShared(),
        timeline.granted().orElseThrow().at(),
        lastBelief(timeline, counts, timeline.requested().at()));
  }

  private static Held before(Downgraded downgraded, RequestTimeline timeline) {
    long at = downgraded.call().before();
    return asGranted(timeline, belief -> belief.call().before() < at);
  }

  private static Held since(Downgraded downgraded, RequestTimeline timeline) {
    Span call = downgraded.call();
    return new Held(
        timeline,
        downgraded.token(),
        true,
        call.after(),
        lastBelief(timeline, belief -> belief.call().before() >= call.after(), call.before()));
  }

  private static long lastBelief(
      RequestTimeline timeline, Predicate<Believed> counts, long otherwise) {
    return timeline.beliefs().stream()
        .filter(counts)
        .mapToLong(belief -> belief.call().before())
        .max()
        .orElse(otherwise);
  }

  /** Returns whether no downgrade came after it. */
  boolean isInLastMode() {
    return isShared || timeline.downgraded().isEmpty();
  }

  boolean togetherWith(Held other) {
    return heldBy < other.heldAfter && other.heldBy < heldAfter;
  }
}
