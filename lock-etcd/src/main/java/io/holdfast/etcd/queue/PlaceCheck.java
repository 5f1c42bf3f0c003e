package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Op;
import io.holdfast.LockMode;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Contention;
import java.util.List;
import java.util.Optional;

/**
 * Asks by single keys whether a remembered place is still the request's. No request comes in ahead
 * of it: one that held the lock holds it, and one whose predecessor is there still waits.
 */
record PlaceCheck(Keys keys, RequestKey key, Place place) implements Question {

  /** Which read is the request's own key. */
  private static final int OWN = 0;

  /** Which read counts who may wait behind a holder. */
  private static final int COUNT = 1;

  /** Which read tells whether the session of a holder with a lock-delay lives. */
  private static final int ALIVE = 2;

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
    Op count = Behind.counted(keys, key.name(), ((Place.Holds) place).mode());
    return place.hasLockDelay()
        ? List.of(own, count, Ops.keyOf(keys.mark(keys.seatAt(place.key()), Mark.ALIVE)))
        : List.of(own, count);
  }

  @Override
  public Optional<Found> found(Answer answer) {
    if (!isAsRemembered(answer)) {
      return Optional.empty();
    }
    if (place.hasLockDelay() && isSessionOver(answer)) {
      return Optional.of(Found.ABSENT);
    }
    if (place instanceof Place.Behind behind) {
      return answer.isThere(PREDECESSOR, behind.predecessor().revision())
          ? behind(answer, behind)
          : handedOver(answer, behind);
    }
    Place.Holds holds = (Place.Holds) place;
    return Optional.of(Found.holding(holds, answer, contention(answer, COUNT, holds)));
  }

  /** One that has moved to another lease was given back, or its lock-delay was used up. */
  private boolean isAsRemembered(Answer answer) {
    return answer.found(OWN).stream()
        .anyMatch(
            own -> own.getCreateRevision() == place.revision() && own.getLease() == place.lease());
  }

  private boolean isSessionOver(Answer answer) {
    return place instanceof Place.Behind
        ? !marks(answer).isItsOwners(keys.seatAt(place.key()))
        : answer.found(ALIVE).isEmpty();
  }

  private Marks marks(Answer answer) {
    return Marks.of(keys, answer.found(MARKS));
  }

  private Optional<Found> behind(Answer answer, Place.Behind behind) {
    KeyValue predecessor = answer.found(PREDECESSOR).get(0);
    return isChanged(predecessor, behind) ? Optional.empty() : waiting(answer, behind, predecessor);
  }

  /** A write to the predecessor may be its downgrade, which lets a shared request in. */
  private static boolean isChanged(KeyValue predecessor, Place.Behind behind) {
    return behind.mode() == LockMode.SHARED
        && predecessor.getModRevision() != predecessor.getCreateRevision();
  }

  private Optional<Found> waiting(Answer answer, Place.Behind behind, KeyValue predecessor) {
    Marks marks = marks(answer);
    Place.Behind seen = behind.behind(Place.Predecessor.of(keys, predecessor, marks));
    if (marks.areQuiet()) {
      return Optional.of(Found.waiting(seen, List.of(), Optional.empty()));
    }
    // Only an exclusive one that is next has none ahead but the predecessor, which then holds.
    return seen.next() && seen.mode() == LockMode.EXCLUSIVE
        ? Optional.of(Found.behindHolder(keys, key, seen, answer, marks))
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
