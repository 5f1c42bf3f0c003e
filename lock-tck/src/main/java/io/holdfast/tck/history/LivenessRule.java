package io.holdfast.tck.history;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.toSet;

import io.holdfast.tck.history.HistoryEvent.OfRequest;
import io.holdfast.tck.history.HistoryEvent.ProcessPaused;
import io.holdfast.tck.history.Violation.NeverReturned;
import io.holdfast.tck.history.Violation.OverranItsPatience;
import io.holdfast.tck.history.Violation.WaitedWhileFree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Nobody is stranded: every call returns unless its process was killed, none overruns its patience
 * by much, and none waits for long while nobody holds the lock. Only the first holds for processes
 * that were paused.
 */
final class LivenessRule implements Rule {

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    Set<String> paused =
        history.events(ProcessPaused.class).map(ProcessPaused::process).collect(toSet());
    long end = history.events().stream().mapToLong(HistoryEvent::at).max().orElse(0);
    List<Violation> violations = new ArrayList<>();
    for (List<RequestStory> stories : history.storiesOfEachLock()) {
      List<Gap> gaps = Gap.longerThan(expectations.idleMax().toNanos(), stories, end);
      for (RequestStory story : stories) {
        if (story.returned().isEmpty() && story.killed().isEmpty()) {
          violations.add(new NeverReturned(story.lock(), story.requested()));
        }
        if (!paused.contains(story.client().process())) {
          overrun(story, expectations.idleMax()).ifPresent(violations::add);
          waitedWhileFree(story, gaps, expectations.idleMax(), end).ifPresent(violations::add);
        }
      }
    }
    return violations;
  }

  private static Optional<Violation> overrun(RequestStory story, Duration most) {
    Optional<OfRequest> returned = story.returned();
    Optional<Duration> patience = story.requested().patience();
    if (returned.isEmpty() || patience.isEmpty()) {
      return Optional.empty();
    }
    long latest = story.requested().at() + patience.get().plus(most).toNanos();
    return returned
        .filter(event -> event.at() > latest)
        .map(event -> new OverranItsPatience(story.lock(), story.requested(), event));
  }

  private static Optional<Violation> waitedWhileFree(
      RequestStory story, List<Gap> gaps, Duration most, long endOfHistory) {
    long requested = story.requested().at();
    long until =
        story
            .returned()
            .map(HistoryEvent::at)
            .or(() -> story.killed().map(killed -> killed.call().before()))
            .orElse(endOfHistory);
    for (Gap gap : gaps) {
      long idle = Math.min(until, gap.to()) - Math.max(requested, gap.from());
      if (idle > most.toNanos()) {
        return Optional.of(
            new WaitedWhileFree(
                story.lock(), story.requested(), Duration.ofNanos(idle), gap.before()));
      }
    }
    return Optional.empty();
  }

  /** A time in which, as far as anybody knew, nobody held the lock. */
  private record Gap(long from, long to, Optional<HistoryEvent> before) {

    static List<Gap> longerThan(long nanos, List<RequestStory> stories, long endOfHistory) {
      List<Gap> gaps = new ArrayList<>();
      long from = Long.MIN_VALUE / 2;
      Optional<HistoryEvent> before = Optional.empty();
      for (Held held : Held.all(stories)) {
        if (held.heldBy() - from > nanos) {
          gaps.add(new Gap(from, held.heldBy(), before));
        }
        LastSign last = LastSign.of(held.story(), endOfHistory);
        if (last.at() > from) {
          from = last.at();
          before = Optional.of(last.event());
        }
      }
      gaps.add(new Gap(from, endOfHistory, before));
      return gaps;
    }
  }

  /** The last that is known of a grant: after it, the grant kept nobody waiting. */
  private record LastSign(HistoryEvent event, long at) {

    static LastSign of(RequestStory story, long endOfHistory) {
      List<LastSign> signs = new ArrayList<>();
      story.losses().forEach(lost -> signs.add(new LastSign(lost, lost.at())));
      story.releases().forEach(release -> signs.add(new LastSign(release, release.call().after())));
      story.killed().ifPresent(killed -> signs.add(new LastSign(killed, killed.call().after())));
      if (signs.isEmpty()) {
        story.closed().ifPresent(closed -> signs.add(new LastSign(closed, closed.call().after())));
      }
      return signs.stream()
          .max(comparingLong(LastSign::at))
          .orElse(new LastSign(story.granted().orElseThrow(), endOfHistory));
    }
  }
}
