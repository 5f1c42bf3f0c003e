package io.holdfast.tck.history.check;

import io.holdfast.tck.history.History;
import io.holdfast.tck.history.RequestTag;
import io.holdfast.tck.history.RequestTimeline;
import io.holdfast.tck.history.check.Violation.HeldTogether;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Of one lock, only one grant is held at a time. */
final class ExclusionRule implements Rule {

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    List<Violation> violations = new ArrayList<>();
    history.storiesOfEachLock().forEach(timelines -> collect(timelines, violations));
    return violations;
  }

  private static void collect(List<RequestTimeline> timelines, List<Violation> violations) {
    List<Held> grants = Held.all(timelines);
    GreatestBefore<Held> heldLongest =
        new GreatestBefore<>(
            grants.stream()
                .map(
                    held ->
                        new GreatestBefore.Entry<>(
                            held.heldBy(), held.heldAfter(), held.timeline().tag(), held)));
    Set<Set<RequestTag>> told = new HashSet<>();
    for (Held held : grants) {
      heldLongest
          .above(held.heldBy(), held.heldAfter(), held.timeline().tag())
          .filter(other -> told.add(Set.of(other.timeline().tag(), held.timeline().tag())))
          .ifPresent(other -> violations.add(together(other.timeline(), held.timeline())));
    }
  }

  private static Violation together(RequestTimeline first, RequestTimeline second) {
    return new HeldTogether(
        first.lock(),
        first.granted().orElseThrow(),
        first.lastBelief(),
        second.granted().orElseThrow(),
        second.lastBelief());
  }
}
