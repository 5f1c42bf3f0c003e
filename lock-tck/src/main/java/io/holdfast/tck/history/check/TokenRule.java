package io.holdfast.tck.history.check;

import io.holdfast.FencingToken;
import io.holdfast.tck.history.History;
import io.holdfast.tck.history.RequestTimeline;
import io.holdfast.tck.history.check.Violation.TokenFell;
import io.holdfast.tck.history.check.Violation.TokenReused;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Of one lock, tokens rise in the order in which grants were held, and none is given twice. */
final class TokenRule implements Rule {

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    List<Violation> violations = new ArrayList<>();
    for (List<RequestTimeline> timelines : history.storiesOfEachLock()) {
      List<Held> grants = Held.all(timelines);
      collectReused(grants, violations);
      collectFallen(grants, violations);
    }
    return violations;
  }

  private static void collectReused(List<Held> grants, List<Violation> violations) {
    Map<FencingToken, Held> seen = new HashMap<>();
    for (Held held : grants) {
      RequestTimeline timeline = held.timeline();
      Held before = seen.putIfAbsent(held.token(), held);
      if (before != null && !(before.isShared() && held.isShared())) {
        RequestTimeline first = before.timeline();
        // A downgrade need not change the token.
        if (!first.tag().equals(timeline.tag())) {
          violations.add(
              new TokenReused(
                  timeline.lock(),
                  first.granted().orElseThrow(),
                  timeline.granted().orElseThrow()));
        }
      }
    }
  }

  private static void collectFallen(List<Held> grants, List<Violation> violations) {
    GreatestBefore<Held> ofAll = greatestToken(grants.stream());
    GreatestBefore<Held> ofExclusive =
        greatestToken(grants.stream().filter(held -> !held.isShared()));
    for (Held later : grants) {
      RequestTimeline timeline = later.timeline();
      // Shared grants are ordered with the exclusive ones, not among themselves.
      (later.isShared() ? ofExclusive : ofAll)
          .above(later.token().value(), later.heldAfter(), timeline.tag())
          // Two held together have no order to be compared with; that is another violation.
          .filter(earlier -> !earlier.togetherWith(later))
          .ifPresent(
              earlier ->
                  violations.add(
                      new TokenFell(
                          timeline.lock(),
                          earlier.timeline().granted().orElseThrow(),
                          timeline.granted().orElseThrow())));
    }
  }

  private static GreatestBefore<Held> greatestToken(Stream<Held> grants) {
    return new GreatestBefore<>(
        grants.map(
            held ->
                new GreatestBefore.Entry<>(
                    held.heldBy(), held.token().value(), held.timeline().tag(), held)));
  }
}
