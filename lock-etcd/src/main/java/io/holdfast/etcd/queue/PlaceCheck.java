package io.holdfast.etcd.queue;

import io.etcd.jetcd.op.Op;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.RequestKey;
import java.util.List;
import java.util.Optional;

/**
 * Asks by single keys whether a remembered place is still the request's. Nobody comes in ahead of
 * it: one that was the first is the first, and one whose predecessor is there still waits.
 */
record PlaceCheck(Keys keys, RequestKey key, Place place) implements Question {

  /** Which read is the request's own key. */
  private static final int OWN = 0;

  /** Which read counts the queue of the first. */
  private static final int COUNT = 1;

  private static final int PREDECESSOR = 1;
  private static final int MARKS = 2;

  /** Which read counts the queue for one that was next. */
  private static final int COUNT_OF_NEXT = 3;

  @Override
  public List<Op> reads() {
    Op own = Ops.keyOf(keys.request(key));
    Op count = Ops.countOf(keys.queue(key.name()));
    if (place instanceof Place.Behind behind) {
      Op predecessor = Ops.keyOf(behind.predecessor().key());
      Op marks = Ops.get(keys.marks(key.name()));
      return behind.isNext()
          ? List.of(own, predecessor, marks, count)
          : List.of(own, predecessor, marks);
    }
    return List.of(own, count);
  }

  @Override
  public Optional<Found> found(Answer answer) {
    if (answer.found(OWN).isEmpty()) {
      return Optional.of(Found.ABSENT);
    }
    if (!answer.isThere(OWN, place.revision())) {
      return Optional.empty();
    }
    if (place instanceof Place.Behind behind) {
      return answer.isThere(PREDECESSOR, behind.predecessor().revision())
          ? waiting(answer, behind)
          : handedOver(answer, behind);
    }
    return Optional.of(
        Found.first(
            new Place.First(place.revision(), place.since()), answer, answer.contention(COUNT)));
  }

  private Optional<Found> waiting(Answer answer, Place.Behind behind) {
    Marks marks = Marks.of(keys, answer.found(MARKS));
    if (behind.isNext()) {
      return Optional.of(Found.behind(keys, key, behind, behind.predecessor(), answer, marks));
    }
    return marks.byKey().isEmpty() ? Optional.of(Found.behindTheLiving(behind)) : Optional.empty();
  }

  private static Optional<Found> handedOver(Answer answer, Place.Behind behind) {
    return behind.isNext()
        ? Optional.of(
            Found.first(
                new Place.First(behind.revision(), behind.since()),
                answer,
                answer.contention(COUNT_OF_NEXT)))
        : Optional.empty();
  }
}
