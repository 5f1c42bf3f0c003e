package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.holdfast.error.BackendUnusableException;
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
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The verb {@code grab}. The queue of a lock is its keys in the order in which they were created,
 * and the oldest holds, or all shared ones before the oldest exclusive one. So creating a key takes
 * a free lock or joins a run, and deleting a key hands the lock over.
 */
public final class Queues {

  /** The default limit of waiters, because each step reads the keys of the queue. */
  public static final int WAITERS_MAX = 4_000;

  /** Which of the {@link #standingReads} is the queue. */
  private static final int QUEUE = 2;

  private final Keys keys;
  private final Sessions sessions;
  private final Namespaces namespaces;
  private final Places places;
  private final Seats seats;
  private final Watches watches;
  private final Withdrawals withdrawals;
  private final String where;
  private final int maxWaiters;

  public Queues(
      Keys keys,
      Sessions sessions,
      Namespaces namespaces,
      Places places,
      Seats seats,
      Watches watches,
      String where,
      int maxWaiters) {
    this.keys = keys;
    this.sessions = sessions;
    this.namespaces = namespaces;
    this.places = places;
    this.seats = seats;
    this.watches = watches;
    this.withdrawals = new Withdrawals(keys, namespaces, places, seats);
    this.where = where;
    this.maxWaiters = maxWaiters;
  }

  /** The session of a request and its namespace. */
  record Requester(StoredSession session, StoredNamespace namespace) {}

  Optional<Requester> requester(EtcdCalls calls, Request request) {
    return sessions
        .find(calls, request.id().session())
        .flatMap(
            session -> namespaces.find(calls).map(namespace -> new Requester(session, namespace)));
  }

  public Attempt grab(EtcdCalls calls, Request request) {
    return requester(calls, request)
        .map(requester -> join(calls, request, requester))
        .orElseGet(() -> over(request));
  }

  /** Without its session or its namespace, nothing of it counts that may be remembered. */
  Attempt over(Request request) {
    sessions.over(request.id().session());
    return new Attempt.SessionOver();
  }

  /**
   * Puts the request at the end of its queue. The contract asks three compares of this step: a
   * session that is not in the store is over, settings that were replaced since they were read may
   * be those of another lock service, and a request has one place. More is read only if the request
   * was not put, so that a free lock costs no more than a write and a read.
   */
  Attempt join(EtcdCalls calls, Request request, Requester requester) {
    Seat seat = seats.of(request);
    Instant since = Instant.now().truncatedTo(ChronoUnit.MICROS);
    Joining joining = new Joining(calls, request, requester, keys.request(seat), since);
    List<Cmp> onlyIf = new ArrayList<>();
    onlyIf.add(Ops.isThere(keys.session(request.id().session()), requester.session().revision()));
    onlyIf.add(Ops.isThere(keys.namespace(), requester.namespace().revision()));
    onlyIf.add(Ops.isAbsent(joining.key()));
    if (!seats.isOpenedHere(request.id().session())) {
      onlyIf.add(isNotInSeatOfSession(calls, request));
    }
    Optional<TxnResponse> answer = put(calls, request, onlyIf, writes(joining, seat));
    if (answer.isEmpty() || Sessions.cluster(answer.get()) != requester.session().cluster()) {
      return over(request);
    }
    return answer.get().isSucceeded() ? joined(joining, answer.get()) : notJoined(joining);
  }

  private Optional<TxnResponse> put(
      EtcdCalls calls, Request request, List<Cmp> onlyIf, List<Op> ops) {
    try {
      Optional<TxnResponse> answer = calls.txnUnlessLeaseGone(onlyIf, ops, List.of());
      seats.answered(request);
      return answer;
    } catch (BackendFailure failure) {
      if (failure.effect() == Effect.NONE) {
        notPut(request);
      }
      throw failure;
    } catch (BackendUnusableException refused) {
      notPut(request);
      throw refused;
    }
  }

  private void notPut(Request request) {
    seats.answered(request);
    seats.free(request.key(), request.mode());
  }

  /**
   * The client that has opened the session may have put the request there: else no client writes to
   * that seat unseen by this compare.
   */
  private Cmp isNotInSeatOfSession(EtcdCalls calls, Request request) {
    ByteSequence key = keys.request(Seat.ofSession(request.key(), request.mode()));
    Optional<KeyValue> found = Ops.foundOne(calls.read(List.of(Ops.get(key))), 0);
    boolean isThere =
        found.filter(entry -> StoredRequest.serial(entry) == request.id().serial()).isPresent();
    return isThere || found.isEmpty() ? Ops.isAbsent(key) : Ops.isAsRead(found.get());
  }

  /** The put, and what tells whether another request keeps this one out. */
  private List<Op> writes(Joining joining, Seat seat) {
    Request request = joining.request();
    List<Op> ops = new ArrayList<>();
    ops.add(
        Ops.put(joining.key(), StoredRequest.encode(request, joining.since()), joining.lease()));
    if (request.hasLockDelay()) {
      String delay = String.valueOf(request.lockDelay().toMillis());
      ops.add(Ops.put(keys.mark(seat, Mark.DELAY), Keys.bytes(delay), joining.lease()));
      ByteSequence alive = keys.mark(seat, Mark.ALIVE);
      ops.add(Ops.put(alive, ByteSequence.EMPTY, joining.session().lease()));
    }
    if (joining.isShared()) {
      ops.add(Ops.last(keys.exclusive(request.name())));
      ops.add(Ops.countOf(keys.queue(request.name())));
    } else {
      ops.add(Ops.lastTwoKeys(keys.queue(request.name())));
    }
    return ops;
  }

  private Attempt joined(Joining joining, TxnResponse answer) {
    return joining.isShared() ? joinedShared(joining, answer) : joinedExclusive(joining, answer);
  }

  private Attempt joinedExclusive(Joining joining, TxnResponse answer) {
    List<KeyValue> lastTwo = Ops.found(answer, 0);
    Place.Holds place = joining.at(lastTwo.get(0).getCreateRevision());
    if (lastTwo.size() == 1) {
      places.remember(joining.request().id(), place);
      return joining.granted(place.revision(), Contention.NOBODY_WAITS);
    }
    int ahead = (int) Ops.count(answer, 0) - 1;
    Place.Predecessor predecessor = Place.Predecessor.of(keys, lastTwo.get(1));
    return waits(joining, place.behind(predecessor, ahead, ahead == 1), answer);
  }

  /** Only an exclusive request that was not downgraded keeps it out. */
  private Attempt joinedShared(Joining joining, TxnResponse answer) {
    Place.Holds place = joining.at(answer.getHeader().getRevision());
    Optional<KeyValue> exclusive =
        Ops.foundOne(answer, 0).filter(entry -> !StoredRequest.isShared(entry));
    if (exclusive.isEmpty()) {
      places.remember(joining.request().id(), place);
      Contention contention = Behind.contention(Ops.found(answer, 0).size(), place);
      return joining.granted(place.revision(), contention);
    }
    int ahead = (int) Ops.count(answer, 1) - 1;
    Place.Predecessor predecessor = Place.Predecessor.of(keys, exclusive.get());
    boolean next = Ops.count(answer, 0) == 1;
    return waits(joining, place.behind(predecessor, ahead, next), answer);
  }

  private Attempt waits(Joining joining, Place.Behind place, TxnResponse answer) {
    EtcdCalls calls = joining.calls();
    Request request = joining.request();
    if (request.ifHeld() == IfHeld.REFUSE) {
      return withdraw(calls, request, place);
    }
    if (place.ahead() > maxWaiters && waitersAhead(calls, request, place.key()) >= maxWaiters) {
      Attempt left = withdraw(calls, request, place);
      return left instanceof Attempt.Refused
          ? new Attempt.QueueFull("maxWaiters=" + maxWaiters)
          : left;
    }
    places.remember(request.id(), place);
    watches.waitsBehind(request.key(), place.predecessor(), answer.getHeader().getRevision());
    return new Attempt.Queued();
  }

  /** If it is not there any more, another client has removed it: then it stands as any other. */
  private Attempt withdraw(EtcdCalls calls, Request request, Place.Behind place) {
    Attempt attempt =
        withdrawals.withdraw(calls, request, place).orElseGet(() -> stand(calls, request));
    return attempt instanceof Attempt.SessionOver ? over(request) : attempt;
  }

  /** Counts the waiters among those ahead: any number may share the lock. */
  private int waitersAhead(EtcdCalls calls, Request request, ByteSequence own) {
    Keys.Range queue = keys.queue(request.name());
    TxnResponse answer = calls.read(List.of(Ops.keysOf(queue), Ops.first(queue)));
    boolean firstShares = Ops.foundOne(answer, 1).filter(StoredRequest::isShared).isPresent();
    QueueOrder order = QueueOrder.of(Ops.found(answer, 0), firstShares);
    int ahead = Ops.found(answer, 0).stream().map(KeyValue::getKey).toList().indexOf(own);
    return ahead - order.holders();
  }

  /** Reads the session, the namespace, the whole queue, and the marks of its requests. */
  private List<Op> standingReads(Request request) {
    return List.of(
        Ops.get(keys.session(request.id().session())),
        Ops.get(keys.namespace()),
        Ops.all(keys.queue(request.name())),
        Ops.get(keys.marks(request.name())));
  }

  /** Reads why a request was not put into its queue: it may be there already. */
  private Attempt notJoined(Joining joining) {
    EtcdCalls calls = joining.calls();
    Request request = joining.request();
    Requester requester = joining.requester();
    TxnResponse answer = calls.read(standingReads(request));
    Optional<StoredNamespace> namespace = namespaces.readFrom(answer, 1);
    Attempt attempt = standing(calls, request, answer, namespace);
    if (attempt instanceof Attempt.Queued && request.ifHeld() == IfHeld.REFUSE) {
      return withdrawRepeated(calls, request, answer);
    }
    if (!(attempt instanceof Attempt.Refused)) {
      return attempt;
    }
    if (isIn(Ops.found(answer, QUEUE), request)) {
      seats.stays(request.key(), request.mode());
      return attempt;
    }
    if (namespace.filter(requester.namespace()::equals).isEmpty()) {
      throw new BackendFailure(
          Effect.NONE, "The namespace at %s was just replaced.".formatted(where), null);
    }
    KeyValue session = Ops.found(answer, 0).get(0);
    if (!requester.session().isStill(session, Sessions.cluster(answer))) {
      // There is another session under the same id, so the cached one is over.
      return over(request);
    }
    // Or the request was there, and has left since: an earlier copy has withdrawn it.
    Ops.found(answer, QUEUE).stream()
        .filter(entry -> entry.getKey().equals(joining.key()))
        .forEach(other -> makeRoom(calls, request, other));
    return join(calls, request, requester);
  }

  private boolean isIn(List<KeyValue> queue, Request request) {
    return queue.stream()
        .anyMatch(entry -> StoredRequest.of(keys, entry).request().equals(request.id()));
  }

  /**
   * Another request of the session is at the seat that was given: one that was given back, and
   * stays for its time; or one that came there after it had left, which no client waits for.
   */
  private void makeRoom(EtcdCalls calls, Request request, KeyValue other) {
    Seat seat = keys.seatAt(other.getKey());
    TxnResponse removed =
        calls.txn(
            List.of(
                Ops.isThere(other.getKey(), other.getCreateRevision()),
                Ops.isAbsent(keys.mark(seat, Mark.GIVEN_BACK))),
            Ops.removal(keys, seat, other.getKey()),
            List.of());
    if (!removed.isSucceeded()) {
      seats.isTaken(request);
    }
  }

  /** An earlier copy of the request has joined, and its answer was lost. */
  private Attempt withdrawRepeated(EtcdCalls calls, Request request, TxnResponse answer) {
    LockSnapshot snapshot =
        LockSnapshot.of(
            keys,
            namespaces.readFrom(answer, 1).orElseThrow(),
            request.name(),
            Ops.found(answer, QUEUE),
            List.of());
    return withdraw(calls, request, (Place.Behind) snapshot.place(snapshot.indexOf(request.id())));
  }

  /** Reads how a request stands. */
  Attempt stand(EtcdCalls calls, Request request) {
    TxnResponse answer = calls.read(standingReads(request));
    return standing(calls, request, answer, namespaces.readFrom(answer, 1));
  }

  private Attempt standing(
      EtcdCalls calls, Request request, TxnResponse answer, Optional<StoredNamespace> namespace) {
    if (Ops.found(answer, 0).isEmpty() || namespace.isEmpty()) {
      return over(request);
    }
    LockSnapshot snapshot =
        LockSnapshot.of(
            keys, namespace.get(), request.name(), Ops.found(answer, QUEUE), Ops.found(answer, 3));
    int index = snapshot.indexOf(request.id());
    if (index < 0 || snapshot.isGivenBack(index)) {
      return snapshot.refused(calls);
    }
    Place place = snapshot.place(index);
    places.remember(request.id(), place);
    if (place instanceof Place.Behind) {
      return new Attempt.Queued();
    }
    int waiting = snapshot.queue().size() - snapshot.order().holders();
    return new Attempt.Granted(
        namespace.get().number(place.revision()), place.since(), Contention.of(waiting));
  }
}
