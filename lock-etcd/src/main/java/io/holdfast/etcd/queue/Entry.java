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
import io.holdfast.etcd.format.Mark;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.etcd.format.StoredSession;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.etcd.session.Sessions;
import io.holdfast.record.Liveness;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A request that was found in its queue, with all that decides about it.
 *
 * @param stored its key and value
 * @param holds whether it holds the lock, which it then does for as long as its key exists
 * @param marks its marks
 * @param session its session, if that lives
 */
record Entry(
    RequestKey key,
    KeyValue stored,
    boolean holds,
    Marks marks,
    StoredNamespace namespace,
    Optional<StoredSession> session) {

  private static final int NAMESPACE = 0;
  private static final int SESSION = 1;
  private static final int MARKS = 2;
  private static final int ASKED_EXCLUSIVE = 3;
  private static final int ASKED_SHARED = 4;
  private static final int FIRST = 5;
  private static final int EXCLUSIVES = 6;

  /** Finds a request, and reads its queue to tell whether it holds the lock. */
  static Optional<Entry> find(EtcdCalls calls, Keys keys, Namespaces namespaces, RequestKey key) {
    return of(keys, namespaces, key, calls.read(readsWithQueue(keys, key)));
  }

  /** What {@link #find} reads, for who reads more in the same transaction, after that. */
  static List<Op> readsWithQueue(Keys keys, RequestKey key) {
    List<Op> reads = new ArrayList<>(reads(keys, key));
    reads.add(Ops.first(keys.queue(key.name())));
    reads.add(Ops.firstTwo(keys.exclusive(key.name())));
    return reads;
  }

  static Optional<Entry> of(Keys keys, Namespaces namespaces, RequestKey key, TxnResponse answer) {
    return stored(answer)
        .flatMap(stored -> of(keys, namespaces, key, answer, stored, holds(stored, answer)));
  }

  /** Finds a request that may be known to hold the lock: then its queue is not read. */
  static Optional<Entry> find(
      EtcdCalls calls, Keys keys, Namespaces namespaces, RequestKey key, Optional<Place> place) {
    if (!(place.orElse(null) instanceof Place.Holds holder)) {
      return find(calls, keys, namespaces, key);
    }
    TxnResponse answer = calls.read(reads(keys, key));
    Optional<KeyValue> stored = stored(answer);
    return stored.filter(found -> found.getCreateRevision() != holder.revision()).isPresent()
        ? find(calls, keys, namespaces, key)
        : stored.flatMap(found -> of(keys, namespaces, key, answer, found, true));
  }

  private static List<Op> reads(Keys keys, RequestKey key) {
    return List.of(
        Ops.get(keys.namespace()),
        Ops.get(keys.session(key.request().session())),
        Ops.get(keys.marks(key)),
        Ops.get(keys.request(key, LockMode.EXCLUSIVE)),
        Ops.get(keys.request(key, LockMode.SHARED)));
  }

  private static Optional<KeyValue> stored(TxnResponse answer) {
    return Stream.of(ASKED_EXCLUSIVE, ASKED_SHARED)
        .flatMap(read -> Ops.foundOne(answer, read).stream())
        .findFirst();
  }

  private static Optional<Entry> of(
      Keys keys,
      Namespaces namespaces,
      RequestKey key,
      TxnResponse answer,
      KeyValue stored,
      boolean holds) {
    Marks marks = Marks.of(keys, Ops.found(answer, MARKS));
    Optional<StoredSession> session =
        Ops.foundOne(answer, SESSION)
            .map(found -> StoredSession.of(found, Sessions.cluster(answer)));
    return namespaces
        .readFrom(answer, NAMESPACE)
        .map(namespace -> new Entry(key, stored, holds, marks, namespace, session));
  }

  /** Only the first can have been downgraded, so the second exclusive one keeps others out. */
  private static boolean holds(KeyValue stored, TxnResponse answer) {
    if (Keys.askedAt(stored.getKey()) == LockMode.EXCLUSIVE) {
      return Ops.found(answer, FIRST).get(0).getKey().equals(stored.getKey());
    }
    return Ops.found(answer, EXCLUSIVES).stream()
        .filter(exclusive -> !StoredRequest.isShared(exclusive))
        .noneMatch(exclusive -> exclusive.getCreateRevision() < stored.getCreateRevision());
  }

  /**
   * Whether it is the observed holder. A record names the number of the first, a look that of each.
   */
  boolean isAsObserved(Observed observed) {
    boolean isNumber =
        Keys.askedAt(stored.getKey()) == LockMode.SHARED
            ? observed.number() <= number()
            : observed.number() == number();
    return holds && isNumber;
  }

  long number() {
    return namespace.number(stored.getCreateRevision());
  }

  Liveness liveness() {
    return marks.liveness(key);
  }

  boolean hasDelayLeft() {
    return marks.hasDelayLeft(key);
  }

  /**
   * Nobody has written to it since it was read: whatever changes about a request is written to it.
   */
  Cmp isAsRead() {
    return Ops.isAsRead(stored);
  }

  /** It is still in its queue, whatever was written to it. */
  Cmp isThere() {
    return Ops.isThere(stored.getKey(), stored.getCreateRevision());
  }

  /** Writes to it what it has already, and moves it to a lease. Its place and number stay. */
  Op putOn(long lease) {
    return put(stored.getValue(), lease);
  }

  Op put(ByteSequence value, long lease) {
    return Ops.put(stored.getKey(), value, lease);
  }

  /** Who waits behind one with a lock-delay watches the mark of its session. */
  Op touchAlive(Keys keys, StoredSession session) {
    return Ops.put(keys.mark(key, Mark.ALIVE), ByteSequence.EMPTY, session.lease());
  }
}
