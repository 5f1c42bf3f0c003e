package io.holdfast.etcd.queue;

import io.holdfast.Liveness;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a look has found a request.
 *
 * @param place where it stands; empty if it is absent
 */
record Found(Optional<Place> place, Standing standing) {

  static final Found ABSENT = new Found(Optional.empty(), new Standing.Absent());

  static Found first(Place.First place, Question.Answer answer, Contention contention) {
    long number = answer.namespace().number(place.revision());
    return new Found(Optional.of(place), new Standing.Holding(number, place.since(), contention));
  }

  /** It waits in a queue in which nobody was revoked. */
  static Found behindTheLiving(Place.Behind place) {
    return waiting(place, List.of(), Optional.empty());
  }

  /** It waits in a queue whose first may have been revoked. */
  static Found behind(
      Keys keys,
      RequestKey key,
      Place.Behind place,
      Place.Predecessor first,
      Question.Answer answer,
      Marks marks) {
    RequestKey head = keys.requestAt(first.key());
    Liveness liveness = marks.liveness(head);
    Optional<Duration> due = place.isNext() ? marks.due(answer.calls(), head) : Optional.empty();
    if (liveness == Liveness.LIVE) {
      return waiting(place, List.of(), due);
    }
    long number = answer.namespace().number(first.revision());
    Observed observed = new Observed(key.name(), number, head.request());
    return waiting(place, List.of(new Obstacle(observed, head.request(), liveness)), due);
  }

  private static Found waiting(
      Place.Behind place, List<Obstacle> obstacles, Optional<Duration> nextDue) {
    return new Found(Optional.of(place), new Standing.Waiting(place.ahead(), obstacles, nextDue));
  }
}
