package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.Released;
import io.holdfast.spi.RequestKey;
import java.util.List;
import java.util.Optional;

/**
 * The verb {@code release}: a request leaves its queue, wherever it stands. Where its place is
 * remembered, the queue is counted and not read.
 */
public final class Releases {

  private final Keys keys;
  private final Places places;
  private final Watches watches;

  public Releases(Keys keys, Places places, Watches watches) {
    this.keys = keys;
    this.places = places;
    this.watches = watches;
  }

  public Released release(EtcdCalls calls, LockName name, RequestId request) {
    RequestKey key = new RequestKey(name, request);
    Optional<Place> place = places.of(request);
    watches.forget(request);
    places.forget(request);
    return place.flatMap(seen -> leave(calls, key, seen)).orElseGet(() -> search(calls, key));
  }

  /**
   * Leaves a remembered place; empty if it has changed. A revocation writes to the key of its
   * request. So one that was never written to has no mark, and no key is left behind.
   */
  private Optional<Released> leave(EtcdCalls calls, RequestKey key, Place place) {
    return place instanceof Place.Behind behind
        ? leaveWaiting(calls, key, behind)
        : leaveFirst(calls, key, place);
  }

  private Optional<Released> leaveFirst(EtcdCalls calls, RequestKey key, Place place) {
    ByteSequence own = keys.request(key);
    TxnResponse answer =
        calls.txn(
            List.of(Ops.isUnchanged(own, place.revision())),
            List.of(Ops.delete(own), Ops.countOf(keys.queue(key.name()))),
            List.of());
    return Optional.of(answer).filter(TxnResponse::isSucceeded).map(Releases::afterFirst);
  }

  private Optional<Released> leaveWaiting(EtcdCalls calls, RequestKey key, Place.Behind place) {
    TxnResponse answer =
        calls.txn(
            List.of(
                Ops.isUnchanged(keys.request(key), place.revision()),
                Ops.isThere(place.predecessor().key(), place.predecessor().revision())),
            List.of(Ops.delete(keys.request(key))),
            List.of());
    return answer.isSucceeded() ? Optional.of(Released.WAS_WAITING) : Optional.empty();
  }

  /** Leaves whatever place it is, and a mark of a revocation with it. */
  private Released search(EtcdCalls calls, RequestKey key) {
    TxnResponse answer =
        calls.txn(List.of(Ops.isThere(keys.request(key))), leaving(key), List.of());
    if (!answer.isSucceeded()) {
      return Released.NOTHING;
    }
    boolean wasFirst = Ops.found(answer, 0).get(0).getKey().equals(keys.request(key));
    return wasFirst ? afterFirst(answer) : Released.WAS_WAITING;
  }

  private List<Op> leaving(RequestKey key) {
    return List.of(
        Ops.firstKey(keys.queue(key.name())),
        Ops.delete(keys.request(key)),
        Ops.delete(keys.markWithTimer(key)),
        Ops.countOf(keys.queue(key.name())));
  }

  /** The last read has counted those who were behind the first. */
  private static Released afterFirst(TxnResponse answer) {
    int last = answer.getGetResponses().size() - 1;
    return Ops.count(answer, last) == 0 ? Released.FREED : Released.HANDED_ON;
  }
}
