package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.holdfast.LockMode;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.etcd.format.StoredSession;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.etcd.session.Sessions;
import io.holdfast.spi.RequestKey;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The verb {@code downgrade}: writes to the key of the exclusive holder that it shares the lock.
 * The key stays, and with it the place and the number. Who joins later has a later key, and so a
 * greater number.
 */
public final class Downgrades {

  private final Keys keys;
  private final Sessions sessions;
  private final Namespaces namespaces;
  private final Places places;

  public Downgrades(Keys keys, Sessions sessions, Namespaces namespaces, Places places) {
    this.keys = keys;
    this.sessions = sessions;
    this.namespaces = namespaces;
    this.places = places;
  }

  public OptionalLong downgrade(EtcdCalls calls, RequestKey key) {
    ByteSequence own = keys.request(key, LockMode.EXCLUSIVE);
    TxnResponse answer =
        calls.read(List.of(Ops.first(keys.queue(key.name())), Ops.get(keys.namespace())));
    Optional<StoredNamespace> namespace = namespaces.readFrom(answer, 1);
    Optional<KeyValue> first = Ops.foundOne(answer, 0).filter(entry -> entry.getKey().equals(own));
    Optional<StoredSession> session = sessions.find(calls, key.request().session());
    if (first.isEmpty() || namespace.isEmpty() || session.isEmpty()) {
      return OptionalLong.empty();
    }
    long revision = first.get().getCreateRevision();
    boolean isShared =
        StoredRequest.isShared(first.get()) || write(calls, first.get(), session.get());
    if (!isShared) {
      return OptionalLong.empty();
    }
    StoredRequest stored = StoredRequest.of(keys, first.get());
    places.remember(key.request(), new Place.Holds(own, revision, stored.since(), LockMode.SHARED));
    return OptionalLong.of(namespace.get().number(revision));
  }

  /** A key that was the first is the first for as long as it is there. */
  private static boolean write(EtcdCalls calls, KeyValue first, StoredSession session) {
    return calls
        .txnUnlessLeaseGone(
            List.of(Ops.isThere(first.getKey(), first.getCreateRevision())),
            List.of(Ops.put(first.getKey(), StoredRequest.downgraded(first), session.lease())),
            List.of())
        .filter(TxnResponse::isSucceeded)
        .isPresent();
  }
}
