package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.etcd.format.Seat;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Released;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The verb {@code release}: a request leaves its queue, wherever it stands. Where its place is
 * remembered, the queue is counted and not read.
 */
public final class Releases {

  private static final List<LockMode> MODES = List.of(LockMode.EXCLUSIVE, LockMode.SHARED);

  private final Keys keys;
  private final Places places;
  private final Seats seats;
  private final Watches watches;

  public Releases(Keys keys, Places places, Seats seats, Watches watches) {
    this.keys = keys;
    this.places = places;
    this.seats = seats;
    this.watches = watches;
  }

  public Released release(EtcdCalls calls, LockName name, RequestId request) {
    RequestKey key = new RequestKey(name, request);
    Optional<Place> place = places.of(request);
    forget(request);
    try {
      return place.flatMap(seen -> leave(calls, key, seen)).orElseGet(() -> search(calls, key));
    } finally {
      forget(request); // A look that has begun meanwhile may have seen it before it left.
    }
  }

  private void forget(RequestId request) {
    places.forget(request);
    watches.forget(request);
  }

  /**
   * Leaves a remembered place; empty if it has changed. Each change of a request is written to its
   * key. So one that was never written to has no marks but those of its lock-delay.
   */
  private Optional<Released> leave(EtcdCalls calls, RequestKey key, Place place) {
    Optional<Released> left =
        place instanceof Place.Behind behind
            ? leaveWaiting(calls, behind)
            : leaveHeld(calls, key, place);
    left.ifPresent(released -> seats.free(key, Keys.askedAt(place.key())));
    return left;
  }

  private Optional<Released> leaveHeld(EtcdCalls calls, RequestKey key, Place place) {
    boolean isExclusive = Keys.askedAt(place.key()) == LockMode.EXCLUSIVE;
    Keys.Range queue = keys.queue(key.name());
    List<Op> leaves = leaving(place);
    leaves.add(isExclusive ? Ops.countOf(queue) : Ops.first(queue));
    TxnResponse answer =
        calls.txn(List.of(Ops.isUnchanged(place.key(), place.revision())), leaves, List.of());
    return Optional.of(answer)
        .filter(TxnResponse::isSucceeded)
        .map(left -> isExclusive ? afterExclusive(left) : after(left, 0));
  }

  private List<Op> leaving(Place place) {
    List<Op> leaves = new ArrayList<>();
    leaves.add(Ops.delete(place.key()));
    if (place.hasLockDelay()) {
      leaves.add(Ops.delete(keys.marks(keys.seatAt(place.key()))));
    }
    return leaves;
  }

  private static Released afterExclusive(TxnResponse answer) {
    return Ops.count(answer, 0) == 0 ? Released.FREED : Released.HANDED_ON;
  }

  /** Tells by the first that is left. If it is shared, it held the lock already. */
  private static Released after(TxnResponse answer, int firstLeft) {
    return Ops.foundOne(answer, firstLeft)
        .map(first -> isShared(first) ? Released.SHARED : Released.HANDED_ON)
        .orElse(Released.FREED);
  }

  private static boolean isShared(KeyValue entry) {
    return Keys.askedAt(entry.getKey()) == LockMode.SHARED || StoredRequest.isShared(entry);
  }

  private Optional<Released> leaveWaiting(EtcdCalls calls, Place.Behind place) {
    TxnResponse answer =
        calls.txn(
            List.of(
                Ops.isUnchanged(place.key(), place.revision()),
                Ops.isUnchanged(place.predecessor().key(), place.predecessor().revision())),
            leaving(place),
            List.of());
    return answer.isSucceeded() ? Optional.of(Released.WAS_WAITING) : Optional.empty();
  }

  /** Leaves any place, and its marks with it. A request that was given back stays. */
  private Released search(EtcdCalls calls, RequestKey key) {
    List<Op> reads = new ArrayList<>(SeatSearch.reads(keys, key));
    MODES.forEach(mode -> reads.add(Ops.countOf(keys.marks(Seat.ofSession(key, mode)))));
    TxnResponse answer = calls.read(reads);
    Optional<KeyValue> found = SeatSearch.find(key, answer, 0);
    if (found.isPresent()) {
      return leave(calls, key, found.get());
    }
    for (int i = 0; i < MODES.size(); i++) {
      if (Ops.count(answer, SeatSearch.READS + i) == 0) {
        seats.free(key, MODES.get(i));
      }
    }
    return Released.NOTHING;
  }

  /** Leaves the place where it was found; nothing if that is another request's by now. */
  private Released leave(EtcdCalls calls, RequestKey key, KeyValue found) {
    Seat seat = keys.seatAt(found.getKey());
    Keys.Range queue = keys.queue(key.name());
    TxnResponse answer =
        calls.txn(
            List.of(
                Ops.isThere(found.getKey(), found.getCreateRevision()),
                Ops.isAbsent(keys.mark(seat, Mark.GIVEN_BACK))),
            List.of(
                Ops.first(queue),
                Ops.firstTwo(keys.exclusive(key.name())),
                Ops.delete(found.getKey()),
                Ops.delete(keys.marks(seat)),
                Ops.first(queue)),
            List.of());
    if (!answer.isSucceeded()) {
      return Released.NOTHING;
    }
    seats.free(key, seat.asked());
    if (!Entry.holds(found, Ops.found(answer, 0), Ops.found(answer, 1))) {
      return Released.WAS_WAITING;
    }
    boolean shared = seat.asked() == LockMode.SHARED || isShared(Ops.found(answer, 0).get(0));
    return shared || Ops.found(answer, 2).isEmpty() ? after(answer, 2) : Released.HANDED_ON;
  }
}
