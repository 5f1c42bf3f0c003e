package io.holdfast.tck.history.check;

import io.holdfast.tck.history.History;
import io.holdfast.tck.history.RequestTimeline;
import io.holdfast.tck.history.check.Violation.TakenWhileItStays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * A lock that was given back before its least time was up, and one whose holder died and had asked
 * for a lock-delay, go to no request until that time is over; if they were shared, only to those
 * that share.
 */
final class StayRule implements Rule {

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    Halts halts = Halts.of(history);
    List<Violation> violations = new ArrayList<>();
    history
        .storiesOfEachLock()
        .forEach(timelines -> collect(Held.all(timelines), halts, violations));
    return violations;
  }

  private static void collect(List<Held> grants, Halts halts, List<Violation> violations) {
    ByMode heldBefore = ByMode.of(grants, held -> held.token().value(), Held::heldAfter);
    ByMode greatestToken = ByMode.of(grants, Held::heldBy, held -> held.token().value());
    for (Held held : grants) {
      if (!held.isInLastMode()) {
        continue;
      }
      Stream.concat(
              Stay.afterRelease(held, heldBefore).stream(), Stay.afterDeath(held, halts).stream())
          .forEach(
              stay ->
                  greatestToken
                      .besides(held)
                      .above(held.token().value(), stay.untilNanos(), held.timeline().tag())
                      .ifPresent(other -> violations.add(taken(stay, other))));
    }
  }

  private static Violation taken(Stay stay, Held other) {
    RequestTimeline first = stay.held().timeline();
    return new TakenWhileItStays(
        first.lock(),
        first.granted().orElseThrow(),
        stay.cause(),
        other.timeline().granted().orElseThrow(),
        Duration.ofNanos(stay.untilNanos() - other.heldBy()));
  }

  /** Answers for one grant which of those that cannot be held together with it is the greatest. */
  record ByMode(GreatestBefore<Held> all, GreatestBefore<Held> exclusive) {

    private static ByMode of(
        List<Held> grants, ToLongFunction<Held> position, ToLongFunction<Held> value) {
      return new ByMode(
          greatest(grants.stream(), position, value),
          greatest(grants.stream().filter(held -> !held.isShared()), position, value));
    }

    private static GreatestBefore<Held> greatest(
        Stream<Held> grants, ToLongFunction<Held> position, ToLongFunction<Held> value) {
      return new GreatestBefore<>(
          grants.map(
              held ->
                  new GreatestBefore.Entry<>(
                      position.applyAsLong(held),
                      value.applyAsLong(held),
                      held.timeline().tag(),
                      held)));
    }

    GreatestBefore<Held> besides(Held held) {
      return held.isShared() ? exclusive : all;
    }
  }
}
