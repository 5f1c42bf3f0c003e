package io.holdfast.etcd.queue;

import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Seat;
import io.holdfast.record.Liveness;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Standing;
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

  /** It waits, and only its predecessor keeps it out, which holds the lock. */
  static Found behindHolder(
      Keys keys, RequestKey key, Place.Behind place, Question.Answer answer, Marks marks) {
    Seat ahead = keys.seatAt(place.predecessor().key());
    Optional<Duration> due = marks.firstDue(answer.calls(), List.of(ahead));
    Liveness liveness = marks.liveness(ahead);
    if (liveness.counts()) {
      return waiting(place, List.of(), due);
    }
    RequestId request = marks.request(ahead).orElseThrow();
    long number = answer.namespace().number(place.predecessor().revision());
    Observed observed = new Observed(key.name(), number, request);
    return waiting(place, List.of(new Obstacle(observed, request, liveness)), due);
  }

  static Found waiting(Place.Behind place, List<Obstacle> obstacles, Optional<Duration> nextDue) {
    return new Found(Optional.of(place), new Standing.Waiting(place.ahead(), obstacles, nextDue));
  }
}
