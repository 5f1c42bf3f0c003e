package io.holdfast.tck.history;

import io.holdfast.tck.history.Violation.HeldTogether;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Of one lock, only one grant is held at a time. */
final class ExclusionRule implements Rule {

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    List<Violation> violations = new ArrayList<>();
    history.storiesOfEachLock().forEach(stories -> collect(stories, violations));
    return violations;
  }

  private static void collect(List<RequestStory> stories, List<Violation> violations) {
    List<Held> grants = Held.all(stories);
    GreatestBefore<Held> heldLongest =
        new GreatestBefore<>(
            grants.stream()
                .map(
                    held ->
                        new GreatestBefore.Entry<>(
                            held.heldBy(), held.heldAfter(), held.story().tag(), held)));
    Set<Set<RequestTag>> told = new HashSet<>();
    for (Held held : grants) {
      heldLongest
          .above(held.heldBy(), held.heldAfter(), held.story().tag())
          .filter(other -> told.add(Set.of(other.story().tag(), held.story().tag())))
          .ifPresent(other -> violations.add(together(other.story(), held.story())));
    }
  }

  private static Violation together(RequestStory first, RequestStory second) {
    return new HeldTogether(
        first.lock(),
        first.granted().orElseThrow(),
        first.lastBelief(),
        second.granted().orElseThrow(),
        second.lastBelief());
  }
}
