package io.holdfast.etcd.queue;

import io.etcd.jetcd.op.Op;
import io.holdfast.LockMode;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.Contention;
import io.holdfast.spi.RequestKey;
import java.util.List;
import java.util.Optional;

/**
 * Asks by single keys whether a remembered place is still the request's. Nobody comes in ahead of
 * it: one that held the lock holds it, and one whose predecessor is there still waits.
 */
record PlaceCheck(Keys keys, RequestKey key, Place place) implements Question {

  /** Which read is the request's own key. */
  private static final int OWN = 0;

  /** Which read counts who may wait behind a holder. */
  private static final int COUNT = 1;

  private static final int PREDECESSOR = 1;
  private static final int MARKS = 2;

  /** Which read counts who may wait behind one that was next. */
  private static final int COUNT_OF_NEXT = 3;

  @Override
  public List<Op> reads() {
    Op own = Ops.keyOf(place.key());
    if (place instanceof Place.Behind behind) {
      Op predecessor = Ops.keyOf(behind.predecessor().key());
      Op marks = Ops.get(keys.marks(key.name()));
      return behind.next()
          ? List.of(own, predecessor, marks, Behind.counted(keys, key.name(), behind.mode()))
          : List.of(own, predecessor, marks);
    }
    Place.Holds holds = (Place.Holds) place;
    return List.of(own, Behind.counted(keys, key.name(), holds.mode()));
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
      if (answer.isThere(PREDECESSOR, behind.predecessor().revision())) {
        return isChanged(answer, behind) ? Optional.empty() : waiting(answer, behind);
      }
      return handedOver(answer, behind);
    }
    Place.Holds holds = (Place.Holds) place;
    return Optional.of(Found.holding(holds, answer, contention(answer, COUNT, holds)));
  }

  /** What was written to the predecessor may be its downgrade, which lets a shared request in. */
  private static boolean isChanged(Answer answer, Place.Behind behind) {
    return behind.mode() == LockMode.SHARED
        && answer.found(PREDECESSOR).stream()
            .anyMatch(entry -> entry.getModRevision() != entry.getCreateRevision());
  }

  private Optional<Found> waiting(Answer answer, Place.Behind behind) {
    Marks marks = Marks.of(keys, answer.found(MARKS));
    if (marks.byKey().isEmpty()) {
      return Optional.of(Found.waiting(behind, List.of(), Optional.empty()));
    }
    return behind.next()
        ? Optional.of(Found.behind(keys, key, behind, answer, marks))
        : Optional.empty();
  }

  private static Optional<Found> handedOver(Answer answer, Place.Behind behind) {
    if (!behind.next()) {
      return Optional.empty();
    }
    Place.Holds holds = behind.handedOver();
    return Optional.of(Found.holding(holds, answer, contention(answer, COUNT_OF_NEXT, holds)));
  }

  private static Contention contention(Answer answer, int read, Place.Holds holds) {
    return Behind.contention(answer.count(read), holds);
  }
}
