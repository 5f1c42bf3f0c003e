package io.holdfast.tck.history.check;

import io.holdfast.tck.history.History;
import io.holdfast.tck.history.RequestTag;
import io.holdfast.tck.history.RequestTimeline;
import io.holdfast.tck.history.check.Violation.HeldTogether;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Of one lock, an exclusive grant is held alone. */
final class ExclusionRule implements Rule {

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    List<Violation> violations = new ArrayList<>();
    history.storiesOfEachLock().forEach(timelines -> collect(timelines, violations));
    return violations;
  }

  private static void collect(List<RequestTimeline> timelines, List<Violation> violations) {
    List<Held> grants = Held.all(timelines);
    GreatestBefore<Held> all = heldLongest(grants.stream());
    GreatestBefore<Held> exclusive = heldLongest(grants.stream().filter(held -> !held.isShared()));
    Set<Set<RequestTag>> told = new HashSet<>();
    for (Held held : grants) {
      (held.isShared() ? exclusive : all)
          .above(held.heldBy(), held.heldAfter(), held.timeline().tag())
          .filter(other -> told.add(Set.of(other.timeline().tag(), held.timeline().tag())))
          .ifPresent(other -> violations.add(together(other.timeline(), held.timeline())));
    }
  }

  private static GreatestBefore<Held> heldLongest(Stream<Held> grants) {
    return new GreatestBefore<>(
        grants.map(
            held ->
                new GreatestBefore.Entry<>(
                    held.heldBy(), held.heldAfter(), held.timeline().tag(), held)));
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
