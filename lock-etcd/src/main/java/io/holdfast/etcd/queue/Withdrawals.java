package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.holdfast.LockMode;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Takes requests out of a queue again that have joined it and may not wait in it. */
final class Withdrawals {

  private final Keys keys;
  private final Namespaces namespaces;
  private final Places places;
  private final Seats seats;

  Withdrawals(Keys keys, Namespaces namespaces, Places places, Seats seats) {
    this.keys = keys;
    this.namespaces = namespaces;
    this.places = places;
    this.seats = seats;
  }

  /**
   * Leaves a queue that a request without waiting has joined. If no request is ahead any more, it
   * holds the lock, because it was handed over meanwhile. Empty if it is not there any more.
   */
  Optional<Attempt> withdraw(EtcdCalls calls, Request request, Place.Behind place) {
    ByteSequence key = place.key();
    long revision = place.revision();
    Keys.Range whoKeepsOut =
        isShared(request) ? keys.exclusive(request.name()) : keys.queue(request.name());
    // A downgrade of the predecessor, which is written to its key, lets a shared request in.
    Cmp isKeptOut =
        isShared(request)
            ? Ops.isUnchanged(place.predecessor().key(), place.predecessor().revision())
            : Ops.isThere(place.predecessor().key(), place.predecessor().revision());
    while (true) {
      TxnResponse answer =
          calls.txn(
              List.of(isKeptOut, Ops.isUnchanged(key, revision)),
              withdrawing(request, key),
              List.of(Ops.get(keys.namespace()), Ops.get(key), Ops.before(whoKeepsOut, revision)));
      Optional<StoredNamespace> namespace = namespaces.readFrom(answer, 0);
      if (namespace.isEmpty()) {
        return Optional.of(new Attempt.SessionOver());
      }
      if (answer.isSucceeded()) {
        // What an earlier copy of the request has found may be remembered.
        places.forget(request.id());
        seats.free(request.key(), request.mode());
        return Optional.of(
            LockSnapshot.of(
                    keys,
                    namespace.get(),
                    request.name(),
                    Ops.found(answer, 1),
                    Ops.found(answer, 2))
                .refused(calls));
      }
      Optional<KeyValue> mine = Ops.foundOne(answer, 1);
      if (mine.isEmpty() || mine.get().getCreateRevision() != revision) {
        return Optional.empty();
      }
      Optional<KeyValue> next =
          Ops.foundOne(answer, 2)
              .filter(entry -> !(isShared(request) && StoredRequest.isShared(entry)));
      if (next.isEmpty()) {
        Instant since = StoredRequest.of(keys, mine.get()).since();
        places.remember(
            request.id(),
            new Place.Holds(key, revision, since, request.mode(), mine.get().getLease()));
        return Optional.of(
            new Attempt.Granted(namespace.get().number(revision), since, Contention.NOT_KNOWN));
      }
      isKeptOut =
          isShared(request)
              ? Ops.isAsRead(next.get())
              : Ops.isThere(next.get().getKey(), next.get().getCreateRevision());
    }
  }

  private List<Op> withdrawing(Request request, ByteSequence key) {
    List<Op> ops = new ArrayList<>();
    ops.add(Ops.delete(key));
    if (request.hasLockDelay()) {
      ops.add(Ops.delete(keys.marks(keys.seatAt(key))));
    }
    ops.add(Ops.get(keys.namespace()));
    ops.add(Ops.first(keys.queue(request.name())));
    ops.add(Ops.get(keys.marks(request.name())));
    return ops;
  }

  private static boolean isShared(Request request) {
    return request.mode() == LockMode.SHARED;
  }
}
