package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.etcd.format.StoredSession;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.etcd.session.Sessions;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The verbs {@code grab} and {@code overtake}. The queue of a lock is its keys in the order in
 * which they were created, and the oldest holds. So creating a key takes a free lock, and deleting
 * the oldest hands it over.
 */
public final class Queues {

  /** The default limit of waiters, because each step reads the keys of the queue. */
  public static final int WAITERS_MAX = 4_000;

  private final Keys keys;
  private final Sessions sessions;
  private final Namespaces namespaces;
  private final Places places;
  private final Watches watches;
  private final String where;
  private final int maxWaiters;

  public Queues(
      Keys keys,
      Sessions sessions,
      Namespaces namespaces,
      Places places,
      Watches watches,
      String where,
      int maxWaiters) {
    this.keys = keys;
    this.sessions = sessions;
    this.namespaces = namespaces;
    this.places = places;
    this.watches = watches;
    this.where = where;
    this.maxWaiters = maxWaiters;
  }

  /** The session of a request and its namespace. */
  private record Requester(StoredSession session, StoredNamespace namespace) {}

  private Optional<Requester> requester(EtcdCalls calls, Request request) {
    return sessions
        .find(calls, request.id().session())
        .flatMap(
            session -> namespaces.find(calls).map(namespace -> new Requester(session, namespace)));
  }

  public Attempt grab(EtcdCalls calls, Request request) {
    request.requireExclusive(where);
    return requester(calls, request)
        .map(requester -> join(calls, request, requester))
        .orElse(new Attempt.SessionOver());
  }

  /**
   * Puts the request at the end of its queue. The three compares are what the contract asks of this
   * step: a session that is not in the store is over, settings that were replaced since they were
   * read may be those of another lock service, and a request has one place. What else there is to
   * know is read only if the request was not put, so that a free lock costs no more than a write
   * and a read.
   */
  private Attempt join(EtcdCalls calls, Request request, Requester requester) {
    ByteSequence key = keys.request(request.key());
    Instant since = Instant.now().truncatedTo(ChronoUnit.MICROS);
    Optional<TxnResponse> answer =
        calls.txnUnlessLeaseGone(
            List.of(
                Ops.isThere(keys.session(request.id().session()), requester.session().revision()),
                Ops.isThere(keys.namespace(), requester.namespace().revision()),
                Ops.isAbsent(key)),
            List.of(
                Ops.put(key, StoredRequest.encode(request, since), requester.session().lease()),
                Ops.lastTwoKeys(keys.queue(request.name()))),
            List.of());
    if (answer.isEmpty() || Sessions.cluster(answer.get()) != requester.session().cluster()) {
      sessions.over(request.id().session());
      return new Attempt.SessionOver();
    }
    return answer.get().isSucceeded()
        ? joined(calls, request, requester, answer.get(), since)
        : notJoined(calls, request, requester);
  }

  private Attempt joined(
      EtcdCalls calls, Request request, Requester requester, TxnResponse answer, Instant since) {
    List<KeyValue> lastTwo = Ops.found(answer, 0);
    long revision = lastTwo.get(0).getCreateRevision();
    if (lastTwo.size() == 1) {
      places.remember(request.id(), new Place.First(revision, since));
      return new Attempt.Granted(
          requester.namespace().number(revision), since, Contention.NOBODY_WAITS);
    }
    KeyValue predecessor = lastTwo.get(1);
    if (request.ifHeld() == IfHeld.REFUSE) {
      return withdraw(calls, request, revision, predecessor);
    }
    int ahead = (int) Ops.count(answer, 0) - 1;
    if (ahead > maxWaiters) {
      Attempt left = withdraw(calls, request, revision, predecessor);
      return left instanceof Attempt.Refused
          ? new Attempt.QueueFull("maxWaiters=" + maxWaiters)
          : left;
    }
    Place.Behind place =
        new Place.Behind(revision, since, Place.Predecessor.of(predecessor), ahead);
    places.remember(request.id(), place);
    watches.waitsBehind(request.key(), place.predecessor(), answer.getHeader().getRevision());
    return new Attempt.Queued();
  }

  /** Reads the session, the namespace, the whole queue, and the marks of revoked requests. */
  private List<Op> standingReads(Request request) {
    return List.of(
        Ops.get(keys.session(request.id().session())),
        Ops.get(keys.namespace()),
        Ops.all(keys.queue(request.name())),
        Ops.get(keys.marks(request.name())));
  }

  /** Reads why a request was not put into its queue: it may be there already. */
  private Attempt notJoined(EtcdCalls calls, Request request, Requester requester) {
    TxnResponse answer = calls.read(standingReads(request));
    Optional<StoredNamespace> namespace = namespaces.readFrom(answer, 1);
    Attempt attempt = standing(calls, request, answer, namespace);
    if (attempt instanceof Attempt.Queued && request.ifHeld() == IfHeld.REFUSE) {
      return withdrawRepeated(calls, request, answer);
    }
    if (!(attempt instanceof Attempt.Refused)) {
      return attempt;
    }
    if (namespace.filter(requester.namespace()::equals).isEmpty()) {
      throw new BackendFailure(
          Effect.NONE, "The namespace at %s was just replaced.".formatted(where), null);
    }
    KeyValue session = Ops.found(answer, 0).get(0);
    if (!requester.session().isStill(session, Sessions.cluster(answer))) {
      // There is another session under the same id, so the cached one is over.
      sessions.over(request.id().session());
      return new Attempt.SessionOver();
    }
    // The request was there, and has left since: an earlier copy has withdrawn it.
    return join(calls, request, requester);
  }

  /** An earlier copy of the request has joined, and its answer was lost. */
  private Attempt withdrawRepeated(EtcdCalls calls, Request request, TxnResponse answer) {
    List<KeyValue> queue = Ops.found(answer, 2);
    int index = queue.stream().map(KeyValue::getKey).toList().indexOf(keys.request(request.key()));
    return withdraw(calls, request, queue.get(index).getCreateRevision(), queue.get(index - 1));
  }

  /**
   * Leaves a queue that a request without waiting has joined. If no request is ahead any more, it
   * holds the lock, because it was handed over meanwhile.
   */
  private Attempt withdraw(EtcdCalls calls, Request request, long revision, KeyValue predecessor) {
    ByteSequence key = keys.request(request.key());
    KeyValue before = predecessor;
    while (true) {
      TxnResponse answer =
          calls.txn(
              List.of(
                  Ops.isThere(before.getKey(), before.getCreateRevision()),
                  Ops.isThere(key, revision)),
              List.of(
                  Ops.delete(key),
                  Ops.get(keys.namespace()),
                  Ops.first(keys.queue(request.name())),
                  Ops.get(keys.marks(request.name()))),
              List.of(
                  Ops.get(keys.namespace()),
                  Ops.get(key),
                  Ops.keyBefore(keys.queue(request.name()), revision)));
      Optional<StoredNamespace> namespace = namespaces.readFrom(answer, 0);
      if (namespace.isEmpty()) {
        return new Attempt.SessionOver();
      }
      if (answer.isSucceeded()) {
        return refused(
            calls,
            LockSnapshot.of(
                keys, namespace.get(), request.name(), Ops.found(answer, 1), Ops.found(answer, 2)));
      }
      Optional<KeyValue> mine = Ops.foundOne(answer, 1);
      if (mine.isEmpty() || mine.get().getCreateRevision() != revision) {
        return stand(calls, request);
      }
      Optional<KeyValue> next = Ops.foundOne(answer, 2);
      if (next.isEmpty()) {
        Instant since = StoredRequest.of(keys, mine.get()).since();
        places.remember(request.id(), new Place.First(revision, since));
        return new Attempt.Granted(namespace.get().number(revision), since, Contention.NOT_KNOWN);
      }
      before = next.get();
    }
  }

  private static Attempt refused(EtcdCalls calls, LockSnapshot snapshot) {
    return new Attempt.Refused(snapshot.record(), snapshot.headDue(calls));
  }

  /** Reads how a request stands. */
  private Attempt stand(EtcdCalls calls, Request request) {
    TxnResponse answer = calls.read(standingReads(request));
    return standing(calls, request, answer, namespaces.readFrom(answer, 1));
  }

  private Attempt standing(
      EtcdCalls calls, Request request, TxnResponse answer, Optional<StoredNamespace> namespace) {
    if (Ops.found(answer, 0).isEmpty() || namespace.isEmpty()) {
      sessions.over(request.id().session());
      return new Attempt.SessionOver();
    }
    LockSnapshot snapshot =
        LockSnapshot.of(
            keys, namespace.get(), request.name(), Ops.found(answer, 2), Ops.found(answer, 3));
    List<StoredRequest> queue = snapshot.queue();
    int ahead = queue.stream().map(StoredRequest::request).toList().indexOf(request.id());
    if (ahead < 0) {
      return refused(calls, snapshot);
    }
    StoredRequest mine = queue.get(ahead);
    if (ahead > 0) {
      StoredRequest next = queue.get(ahead - 1);
      Place.Predecessor predecessor =
          new Place.Predecessor(
              keys.request(new RequestKey(request.name(), next.request())), next.revision());
      places.remember(
          request.id(), new Place.Behind(mine.revision(), mine.since(), predecessor, ahead));
      return new Attempt.Queued();
    }
    places.remember(request.id(), new Place.First(mine.revision(), mine.since()));
    return new Attempt.Granted(
        namespace.get().number(mine.revision()), mine.since(), Contention.of(queue.size() - 1));
  }

  public Attempt overtake(EtcdCalls calls, Request request, Observed observed) {
    request.requireExclusive(where);
    Optional<Requester> requester = requester(calls, request);
    if (requester.isEmpty()) {
      return new Attempt.SessionOver();
    }
    boolean removed =
        !observed.request().equals(request.id())
            && removeRevoked(calls, observed, request, requester.get());
    Attempt stands = stand(calls, request);
    // A newcomer may hold now but must not wait: another request may have joined in between.
    return removed && stands instanceof Attempt.Refused
        ? join(calls, request.with(IfHeld.REFUSE), requester.get())
        : stands;
  }

  private boolean removeRevoked(
      EtcdCalls calls, Observed observed, Request request, Requester requester) {
    RequestKey key = new RequestKey(observed.name(), observed.request());
    long revision = requester.namespace().createRevision(observed.number());
    return revision > 0
        && calls
            .txn(
                List.of(
                    Ops.isThere(
                        keys.session(request.id().session()), requester.session().revision()),
                    Ops.isThere(keys.namespace(), requester.namespace().revision()),
                    Ops.isThere(keys.request(key), revision),
                    Ops.isThere(keys.mark(key)),
                    Ops.isAbsent(keys.timer(key))),
                Ops.removal(keys, key),
                List.of())
            .isSucceeded();
  }
}
