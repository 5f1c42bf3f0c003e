package io.holdfast.tck.history.check;

import static java.util.Comparator.comparingLong;

import io.holdfast.tck.history.History;
import io.holdfast.tck.history.HistoryEvent;
import io.holdfast.tck.history.HistoryEvent.Granted;
import io.holdfast.tck.history.RequestTimeline;
import io.holdfast.tck.history.check.Violation.BelievedAfterItsEnd;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A grant is not believed any more once its holder was told that it is lost, has given it back, or
 * has closed the client, or its longest time is over, regardless of the store's answers.
 */
final class EndedGrantRule implements Rule {

  private record End(HistoryEvent event, long at) {}

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    return history
        .storiesWithGrant()
        .flatMap(timeline -> firstEnd(timeline).stream().flatMap(end -> after(end, timeline)))
        .toList();
  }

  private static Stream<Violation> after(End end, RequestTimeline timeline) {
    return timeline.beliefs().stream()
        .filter(belief -> belief.call().before() > end.at())
        .limit(1)
        .map(belief -> new BelievedAfterItsEnd(timeline.lock(), end.event(), belief));
  }

  /** Returns when its longest time was over for good: it counts from when it was last set. */
  private static Optional<End> longestTime(RequestTimeline timeline) {
    Granted granted = timeline.granted().orElseThrow();
    Optional<End> asGranted =
        timeline
            .requested()
            .wanted()
            .atMost()
            .map(atMost -> new End(granted, granted.at() + atMost.toNanos()));
    return timeline.extensions().stream()
        .map(moved -> new End(moved, moved.call().after() + moved.atMost().toNanos()))
        .reduce((earlier, later) -> later)
        .or(() -> asGranted);
  }

  private static Optional<End> firstEnd(RequestTimeline timeline) {
    return Stream.of(
            timeline.losses().stream().map(lost -> new End(lost, lost.at())),
            timeline.releases().stream().map(release -> new End(release, release.call().after())),
            timeline.closed().stream().map(closed -> new End(closed, closed.call().after())),
            longestTime(timeline).stream())
        .flatMap(ends -> ends)
        .min(comparingLong(End::at));
  }
}
