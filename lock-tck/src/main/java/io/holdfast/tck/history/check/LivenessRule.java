package io.holdfast.tck.history.check;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.toSet;

import io.holdfast.tck.history.History;
import io.holdfast.tck.history.HistoryEvent;
import io.holdfast.tck.history.HistoryEvent.OfRequest;
import io.holdfast.tck.history.HistoryEvent.ProcessPaused;
import io.holdfast.tck.history.RequestTimeline;
import io.holdfast.tck.history.check.Violation.NeverReturned;
import io.holdfast.tck.history.check.Violation.OverranMaxWait;
import io.holdfast.tck.history.check.Violation.WaitedWhileFree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * No client is stranded: every call returns unless its process was killed, none overruns its time
 * to wait by much, and none waits for long while no client holds the lock. Only the first holds for
 * processes that were paused.
 */
final class LivenessRule implements Rule {

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    Set<String> paused =
        history.events(ProcessPaused.class).map(ProcessPaused::process).collect(toSet());
    long end = history.events().stream().mapToLong(HistoryEvent::at).max().orElse(0);
    List<Violation> violations = new ArrayList<>();
    for (List<RequestTimeline> timelines : history.storiesOfEachLock()) {
      List<Gap> gaps = Gap.longerThan(expectations.idleMax().toNanos(), timelines, end);
      for (RequestTimeline timeline : timelines) {
        if (timeline.returned().isEmpty() && timeline.killed().isEmpty()) {
          violations.add(new NeverReturned(timeline.lock(), timeline.requested()));
        }
        if (!paused.contains(timeline.client().process())) {
          overrun(timeline, expectations.idleMax()).ifPresent(violations::add);
          waitedWhileFree(timeline, gaps, expectations.idleMax(), end).ifPresent(violations::add);
        }
      }
    }
    return violations;
  }

  private static Optional<Violation> overrun(RequestTimeline timeline, Duration limit) {
    Optional<OfRequest> returned = timeline.returned();
    Optional<Duration> maxWait = timeline.requested().maxWait();
    if (returned.isEmpty() || maxWait.isEmpty()) {
      return Optional.empty();
    }
    long latest = timeline.requested().at() + maxWait.get().plus(limit).toNanos();
    return returned
        .filter(event -> event.at() > latest)
        .map(event -> new OverranMaxWait(timeline.lock(), timeline.requested(), event));
  }

  private static Optional<Violation> waitedWhileFree(
      RequestTimeline timeline, List<Gap> gaps, Duration limit, long endOfHistory) {
    long requested = timeline.requested().at();
    long until =
        timeline
            .returned()
            .map(HistoryEvent::at)
            .or(() -> timeline.killed().map(killed -> killed.call().before()))
            .orElse(endOfHistory);
    for (Gap gap : gaps) {
      long idle = Math.min(until, gap.to()) - Math.max(requested, gap.from());
      if (idle > limit.toNanos()) {
        return Optional.of(
            new WaitedWhileFree(
                timeline.lock(), timeline.requested(), Duration.ofNanos(idle), gap.before()));
      }
    }
    return Optional.empty();
  }

  /** A time in which no client was known to hold the lock. */
  private record Gap(long from, long to, Optional<HistoryEvent> before) {

    static List<Gap> longerThan(long nanos, List<RequestTimeline> timelines, long endOfHistory) {
      List<Gap> gaps = new ArrayList<>();
      long from = Long.MIN_VALUE / 2;
      Optional<HistoryEvent> before = Optional.empty();
      for (Held held : Held.all(timelines)) {
        if (held.heldBy() - from > nanos) {
          gaps.add(new Gap(from, held.heldBy(), before));
        }
        LastSign last = LastSign.of(held.timeline(), endOfHistory);
        if (last.at() > from) {
          from = last.at();
          before = Optional.of(last.event());
        }
      }
      gaps.add(new Gap(from, endOfHistory, before));
      return gaps;
    }
  }

  /** The last that is known of a grant: after it, the grant kept no request waiting. */
  private record LastSign(HistoryEvent event, long at) {

    static LastSign of(RequestTimeline timeline, long endOfHistory) {
      List<LastSign> signs = new ArrayList<>();
      timeline.losses().forEach(lost -> signs.add(new LastSign(lost, lost.at())));
      timeline
          .releases()
          .forEach(release -> signs.add(new LastSign(release, release.call().after())));
      timeline.killed().ifPresent(killed -> signs.add(new LastSign(killed, killed.call().after())));
      if (signs.isEmpty()) {
        timeline
            .closed()
            .ifPresent(closed -> signs.add(new LastSign(closed, closed.call().after())));
      }
      return signs.stream()
          .max(comparingLong(LastSign::at))
          .orElse(new LastSign(timeline.granted().orElseThrow(), endOfHistory));
    }
  }
}
