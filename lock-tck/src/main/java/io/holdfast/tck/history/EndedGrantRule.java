package io.holdfast.tck.history;

import static java.util.Comparator.comparingLong;

import io.holdfast.tck.history.Violation.BelievedAfterItsEnd;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A grant is not believed any more once its owner was told that it is lost, has given it back, or
 * has closed the client, whatever the store said.
 */
final class EndedGrantRule implements Rule {

  private record End(HistoryEvent event, long at) {}

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    return history
        .storiesWithGrant()
        .flatMap(story -> firstEnd(story).stream().flatMap(end -> after(end, story)))
        .toList();
  }

  private static Stream<Violation> after(End end, RequestStory story) {
    return story.beliefs().stream()
        .filter(belief -> belief.call().before() > end.at())
        .limit(1)
        .map(belief -> new BelievedAfterItsEnd(story.lock(), end.event(), belief));
  }

  private static Optional<End> firstEnd(RequestStory story) {
    return Stream.of(
            story.losses().stream().map(lost -> new End(lost, lost.at())),
            story.releases().stream().map(release -> new End(release, release.call().after())),
            story.closed().stream().map(closed -> new End(closed, closed.call().after())))
        .flatMap(ends -> ends)
        .min(comparingLong(End::at));
  }
}
