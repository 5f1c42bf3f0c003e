package io.holdfast.tck.history;

import io.holdfast.FencingToken;
import io.holdfast.tck.history.Violation.TokenFell;
import io.holdfast.tck.history.Violation.TokenReused;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Of one lock, tokens rise in the order in which grants were held, and none is given twice. */
final class TokenRule implements Rule {

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    List<Violation> violations = new ArrayList<>();
    for (List<RequestStory> stories : history.storiesOfEachLock()) {
      List<Held> grants = Held.all(stories);
      collectReused(grants, violations);
      collectFallen(grants, violations);
    }
    return violations;
  }

  private static void collectReused(List<Held> grants, List<Violation> violations) {
    Map<FencingToken, RequestStory> seen = new HashMap<>();
    for (Held held : grants) {
      RequestStory story = held.story();
      RequestStory first = seen.putIfAbsent(story.token(), story);
      if (first != null) {
        violations.add(
            new TokenReused(
                story.lock(), first.granted().orElseThrow(), story.granted().orElseThrow()));
      }
    }
  }

  private static void collectFallen(List<Held> grants, List<Violation> violations) {
    GreatestBefore<Held> greatestToken =
        new GreatestBefore<>(
            grants.stream()
                .map(
                    held ->
                        new GreatestBefore.Entry<>(
                            held.heldBy(),
                            held.story().token().value(),
                            held.story().tag(),
                            held)));
    for (Held later : grants) {
      RequestStory story = later.story();
      greatestToken
          .above(story.token().value(), later.heldAfter(), story.tag())
          // Two held together have no order to be compared with; that is another violation.
          .filter(earlier -> !earlier.togetherWith(later))
          .ifPresent(
              earlier ->
                  violations.add(
                      new TokenFell(
                          story.lock(),
                          earlier.story().granted().orElseThrow(),
                          story.granted().orElseThrow())));
    }
  }
}
