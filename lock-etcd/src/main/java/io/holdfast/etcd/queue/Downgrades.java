package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.holdfast.LockMode;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.etcd.format.StoredSession;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.spi.RequestKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The verb {@code downgrade}: writes to the key of the exclusive holder that it shares the lock.
 * The key stays, and with it the place and the number. A request that joins later has a later key,
 * and so a greater number.
 */
public final class Downgrades {

  private final Keys keys;
  private final Namespaces namespaces;
  private final Places places;

  public Downgrades(Keys keys, Namespaces namespaces, Places places) {
    this.keys = keys;
    this.namespaces = namespaces;
    this.places = places;
  }

  public OptionalLong downgrade(EtcdCalls calls, RequestKey key) {
    while (true) {
      Optional<Entry> found =
          Entry.find(calls, keys, namespaces, key, places.of(key.request()))
              .filter(entry -> entry.holds() && entry.isItsOwners());
      if (found.isEmpty() || found.get().session().isEmpty()) {
        return OptionalLong.empty();
      }
      Entry entry = found.get();
      if (StoredRequest.isShared(entry.stored()) || write(calls, entry, entry.session().get())) {
        StoredRequest stored = StoredRequest.of(keys, entry.stored());
        places.remember(
            key.request(),
            new Place.Holds(
                stored.key(), stored.revision(), stored.since(), LockMode.SHARED, stored.lease()));
        return OptionalLong.of(entry.number());
      }
      // It was written to meanwhile: revoked, given back, or downgraded by another copy.
    }
  }

  private boolean write(EtcdCalls calls, Entry entry, StoredSession session) {
    ByteSequence shared = StoredRequest.downgraded(entry.stored());
    List<Cmp> onlyIf = new ArrayList<>(List.of(entry.isAsRead()));
    List<Op> writes = new ArrayList<>(List.of(entry.put(shared, entry.stored().getLease())));
    if (entry.hasDelayLeft()) {
      onlyIf.add(Ops.isThere(keys.mark(entry.seat(), Mark.ALIVE)));
      writes.add(entry.touchAlive(keys, session));
    }
    return calls
        .txnUnlessLeaseGone(onlyIf, writes, List.of())
        .filter(TxnResponse::isSucceeded)
        .isPresent();
  }
}
