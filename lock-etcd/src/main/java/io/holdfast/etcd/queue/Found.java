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

  static Found holding(Place.Holds place, Question.Answer answer, Contention contention) {
    long number = answer.namespace().number(place.revision());
    return new Found(
        Optional.of(place), new Standing.Holding(number, place.since(), contention, place.mode()));
  }

  /** It waits, and nobody else keeps it out than the predecessor, which may have been revoked. */
  static Found behind(
      Keys keys, RequestKey key, Place.Behind place, Question.Answer answer, Marks marks) {
    RequestKey ahead = keys.requestAt(place.predecessor().key());
    Liveness liveness = marks.liveness(ahead);
    Optional<Duration> due = marks.due(answer.calls(), ahead);
    if (liveness == Liveness.LIVE) {
      return waiting(place, List.of(), due);
    }
    long number = answer.namespace().number(place.predecessor().revision());
    Observed observed = new Observed(key.name(), number, ahead.request());
    return waiting(place, List.of(new Obstacle(observed, ahead.request(), liveness)), due);
  }

  static Found waiting(Place.Behind place, List<Obstacle> obstacles, Optional<Duration> nextDue) {
    return new Found(Optional.of(place), new Standing.Waiting(place.ahead(), obstacles, nextDue));
  }
}
