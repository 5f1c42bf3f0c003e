package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.holdfast.LockMode;
import io.holdfast.SessionId;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.etcd.format.Seat;
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

/**
 * A request that was found in its queue, with all that decides about it.
 *
 * @param seat where it was found
 * @param stored its key and value
 * @param holds whether it holds the lock, which it then does for as long as its key exists
 * @param marks those of its session's requests, its own among them
 * @param session its session, if that lives
 */
record Entry(
    RequestKey key,
    Seat seat,
    KeyValue stored,
    boolean holds,
    Marks marks,
    StoredNamespace namespace,
    Optional<StoredSession> session) {

  private static final int NAMESPACE = 0;
  private static final int SESSION = 1;
  private static final int MARKS_EXCLUSIVE = 2;
  private static final int MARKS_SHARED = 3;
  private static final int SEATS = 4;
  private static final int FIRST = SEATS + SeatSearch.READS;
  private static final int EXCLUSIVES = FIRST + 1;

  /** Finds a request, and reads its queue to tell whether it holds the lock. */
  static Optional<Entry> find(EtcdCalls calls, Keys keys, Namespaces namespaces, RequestKey key) {
    return of(keys, namespaces, key, calls.read(readsWithQueue(keys, key)));
  }

  /**
   * The reads of {@link #find}, for a caller that reads more in the same transaction, after that.
   */
  static List<Op> readsWithQueue(Keys keys, RequestKey key) {
    List<Op> reads = new ArrayList<>(reads(keys, key));
    reads.add(Ops.first(keys.queue(key.name())));
    reads.add(Ops.firstTwo(keys.exclusive(key.name())));
    return reads;
  }

  static Optional<Entry> of(Keys keys, Namespaces namespaces, RequestKey key, TxnResponse answer) {
    return stored(key, answer)
        .flatMap(stored -> of(keys, namespaces, key, answer, stored, holds(stored, answer)));
  }

  /** Finds a request that may be known to hold the lock: then its queue is not read. */
  static Optional<Entry> find(
      EtcdCalls calls, Keys keys, Namespaces namespaces, RequestKey key, Optional<Place> place) {
    if (!(place.orElse(null) instanceof Place.Holds holder)) {
      return find(calls, keys, namespaces, key);
    }
    TxnResponse answer = calls.read(reads(keys, key));
    Optional<KeyValue> stored = stored(key, answer);
    return stored.filter(found -> found.getCreateRevision() != holder.revision()).isPresent()
        ? find(calls, keys, namespaces, key)
        : stored.flatMap(found -> of(keys, namespaces, key, answer, found, true));
  }

  private static List<Op> reads(Keys keys, RequestKey key) {
    SessionId session = key.request().session();
    List<Op> reads = new ArrayList<>();
    reads.add(Ops.get(keys.namespace()));
    reads.add(Ops.get(keys.session(session)));
    reads.add(Ops.get(keys.marks(key.name(), session, LockMode.EXCLUSIVE)));
    reads.add(Ops.get(keys.marks(key.name(), session, LockMode.SHARED)));
    reads.addAll(SeatSearch.reads(keys, key));
    return reads;
  }

  private static Optional<Entry> of(
      Keys keys,
      Namespaces namespaces,
      RequestKey key,
      TxnResponse answer,
      KeyValue stored,
      boolean holds) {
    List<KeyValue> marks = new ArrayList<>(Ops.found(answer, MARKS_EXCLUSIVE));
    marks.addAll(Ops.found(answer, MARKS_SHARED));
    Optional<StoredSession> session =
        Ops.foundOne(answer, SESSION)
            .map(found -> StoredSession.of(found, Sessions.cluster(answer)));
    return namespaces
        .readFrom(answer, NAMESPACE)
        .map(
            namespace ->
                new Entry(
                    key,
                    keys.seatAt(stored.getKey()),
                    stored,
                    holds,
                    Marks.of(keys, marks),
                    namespace,
                    session));
  }

  private static Optional<KeyValue> stored(RequestKey key, TxnResponse answer) {
    return SeatSearch.find(key, answer, SEATS);
  }

  private static boolean holds(KeyValue stored, TxnResponse answer) {
    return holds(stored, Ops.found(answer, FIRST), Ops.found(answer, EXCLUSIVES));
  }

  /**
   * Returns whether a request holds the lock. Only the first can have been downgraded, so the
   * second exclusive one keeps others out.
   *
   * @param first the first request of the queue
   * @param exclusives the first two exclusive ones
   */
  static boolean holds(KeyValue stored, List<KeyValue> first, List<KeyValue> exclusives) {
    if (Keys.askedAt(stored.getKey()) == LockMode.EXCLUSIVE) {
      return first.get(0).getKey().equals(stored.getKey());
    }
    return exclusives.stream()
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
    return marks.liveness(seat);
  }

  /** Whether it is its client's: not if it was given back, and not if its session is over. */
  boolean isItsOwners() {
    return marks.isItsOwners(seat);
  }

  boolean isRevoked() {
    return marks.isRevoked(seat);
  }

  boolean hasDelayLeft() {
    return marks.hasDelayLeft(seat);
  }

  /** No client has written to it since it was read: each change of a request is written to it. */
  Cmp isAsRead() {
    return Ops.isAsRead(stored);
  }

  /** It is still in its queue, even if it was written to. */
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

  /** A request behind one with a lock-delay watches the mark of its session. */
  Op touchAlive(Keys keys, StoredSession session) {
    return Ops.put(keys.mark(seat, Mark.ALIVE), ByteSequence.EMPTY, session.lease());
  }
}
