package io.holdfast.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Joining and leaving. A lock's queue is its keys in the order in which they were created, and the
 * oldest holds: so taking a free lock is to create a key, and handing over is to delete one.
 */
final class Queues {

  /** How many may wait unless the client was told otherwise: each step reads a queue's keys. */
  static final int WAITERS_MAX = 4_000;

  private final Keys keys;
  private final Sessions sessions;
  private final Namespaces namespaces;
  private final Watches watches;
  private final String where;
  private final int maxWaiters;

  Queues(
      Keys keys,
      Sessions sessions,
      Namespaces namespaces,
      Watches watches,
      String where,
      int maxWaiters) {
    this.keys = keys;
    this.sessions = sessions;
    this.namespaces = namespaces;
    this.watches = watches;
    this.where = where;
    this.maxWaiters = maxWaiters;
  }

  /** In whose name, and in which namespace, something is asked for. */
  private record Asker(SessionRef session, Namespace namespace) {}

  private Optional<Asker> asker(Steps steps, Request request) {
    return sessions
        .find(steps, request.id().session())
        .flatMap(session -> namespaces.find(steps).map(namespace -> new Asker(session, namespace)));
  }

  Attempt grab(Steps steps, Request request) {
    request.requireExclusive(where);
    return asker(steps, request)
        .map(asker -> join(steps, request, asker))
        .orElse(new Attempt.SessionOver());
  }

  private Attempt join(Steps steps, Request request, Asker asker) {
    ByteSequence place = keys.place(request.key());
    Instant since = Instant.now().truncatedTo(ChronoUnit.MICROS);
    Optional<TxnResponse> answer =
        steps.txnUnlessLeaseGone(
            List.of(
                Ops.isThere(keys.session(request.id().session()), asker.session().revision()),
                Ops.isThere(keys.namespace(), asker.namespace().revision()),
                Ops.isAbsent(place)),
            List.of(
                Ops.put(place, Place.encode(request, since), asker.session().lease()),
                Ops.lastTwoKeys(keys.queue(request.name()))),
            standingReads(request));
    if (answer.isEmpty() || Sessions.cluster(answer.get()) != asker.session().cluster()) {
      sessions.over(request.id().session());
      return new Attempt.SessionOver();
    }
    if (!answer.get().isSucceeded()) {
      return notJoined(steps, request, asker, answer.get());
    }
    List<KeyValue> lastTwo = Ops.found(answer.get(), 0);
    long revision = lastTwo.get(0).getCreateRevision();
    if (lastTwo.size() == 1) {
      return new Attempt.Granted(
          asker.namespace().number(revision), since, Contention.NOBODY_WAITS);
    }
    KeyValue predecessor = lastTwo.get(1);
    if (request.ifHeld() == IfHeld.REFUSE) {
      return withdraw(steps, request, revision, predecessor);
    }
    if (Ops.count(answer.get(), 0) - 1 > maxWaiters) {
      Attempt left = withdraw(steps, request, revision, predecessor);
      return left instanceof Attempt.Refused
          ? new Attempt.QueueFull("maxWaiters=" + maxWaiters)
          : left;
    }
    watches.waitsBehind(request.key(), predecessor, answer.get().getHeader().getRevision());
    return new Attempt.Queued();
  }

  /** The session, the namespace, the whole queue, and what was revoked in it. */
  private List<Op> standingReads(Request request) {
    return List.of(
        Ops.get(keys.session(request.id().session())),
        Ops.get(keys.namespace()),
        Ops.all(keys.queue(request.name())),
        Ops.get(keys.marks(request.name())));
  }

  private Attempt notJoined(Steps steps, Request request, Asker asker, TxnResponse answer) {
    Optional<Namespace> namespace = namespaces.seen(answer, 1);
    Attempt attempt = standing(steps, request, answer, namespace);
    boolean isAbsent = attempt instanceof Attempt.Refused;
    if (isAbsent && namespace.filter(asker.namespace()::equals).isEmpty()) {
      throw new BackendFailure(
          Effect.NONE, "The namespace at %s was just made anew.".formatted(where), null);
    }
    if (isAbsent) {
      // Another session under the same id: what we knew of it is no more.
      sessions.over(request.id().session());
      return new Attempt.SessionOver();
    }
    return attempt instanceof Attempt.Queued && request.ifHeld() == IfHeld.REFUSE
        ? withdrawRepeated(steps, request, answer)
        : attempt;
  }

  /** A copy of it got in before, and its client has not seen the answer. */
  private Attempt withdrawRepeated(Steps steps, Request request, TxnResponse answer) {
    List<KeyValue> queue = Ops.found(answer, 2);
    int index = queue.stream().map(KeyValue::getKey).toList().indexOf(keys.place(request.key()));
    return withdraw(steps, request, queue.get(index).getCreateRevision(), queue.get(index - 1));
  }

  /**
   * Leaves a queue that was joined only to see whether it is empty; unless nobody is ahead any
   * more: then it holds, and whoever left has handed it the lock.
   */
  private Attempt withdraw(Steps steps, Request request, long revision, KeyValue predecessor) {
    ByteSequence place = keys.place(request.key());
    KeyValue before = predecessor;
    while (true) {
      TxnResponse answer =
          steps.txn(
              List.of(
                  Ops.isThere(before.getKey(), before.getCreateRevision()),
                  Ops.isThere(place, revision)),
              List.of(
                  Ops.delete(place),
                  Ops.get(keys.namespace()),
                  Ops.all(keys.queue(request.name())),
                  Ops.get(keys.marks(request.name()))),
              List.of(
                  Ops.get(keys.namespace()),
                  Ops.get(place),
                  Ops.keyBefore(keys.queue(request.name()), revision)));
      Optional<Namespace> namespace = namespaces.seen(answer, 0);
      if (namespace.isEmpty()) {
        return new Attempt.SessionOver();
      }
      if (answer.isSucceeded()) {
        return refused(
            steps,
            Seen.of(
                keys, namespace.get(), request.name(), Ops.found(answer, 1), Ops.found(answer, 2)));
      }
      Optional<KeyValue> mine = Ops.foundOne(answer, 1);
      if (mine.isEmpty() || mine.get().getCreateRevision() != revision) {
        return stand(steps, request);
      }
      Optional<KeyValue> next = Ops.foundOne(answer, 2);
      if (next.isEmpty()) {
        return new Attempt.Granted(
            namespace.get().number(revision),
            Place.of(keys, mine.get()).since(),
            Contention.NOT_KNOWN);
      }
      before = next.get();
    }
  }

  private static Attempt refused(Steps steps, Seen seen) {
    return new Attempt.Refused(seen.record(), seen.headDue(steps));
  }

  /** Returns how a request stands, without changing that. */
  private Attempt stand(Steps steps, Request request) {
    TxnResponse answer = steps.read(standingReads(request));
    return standing(steps, request, answer, namespaces.seen(answer, 1));
  }

  private Attempt standing(
      Steps steps, Request request, TxnResponse answer, Optional<Namespace> namespace) {
    if (Ops.found(answer, 0).isEmpty() || namespace.isEmpty()) {
      sessions.over(request.id().session());
      return new Attempt.SessionOver();
    }
    Seen seen =
        Seen.of(keys, namespace.get(), request.name(), Ops.found(answer, 2), Ops.found(answer, 3));
    List<RequestId> queue = seen.places().stream().map(Place::request).toList();
    int ahead = queue.indexOf(request.id());
    if (ahead > 0) {
      return new Attempt.Queued();
    }
    if (ahead < 0) {
      return refused(steps, seen);
    }
    Place mine = seen.places().get(0);
    return new Attempt.Granted(
        namespace.get().number(mine.revision()), mine.since(), Contention.of(queue.size() - 1));
  }

  Attempt overtake(Steps steps, Request request, Observed observed) {
    request.requireExclusive(where);
    Optional<Asker> asker = asker(steps, request);
    if (asker.isEmpty()) {
      return new Attempt.SessionOver();
    }
    boolean removed =
        !observed.request().equals(request.id())
            && removeRevoked(steps, observed, request, asker.get());
    Attempt stands = stand(steps, request);
    // Who does not wait may hold now, but not wait: another may have come in between.
    return removed && stands instanceof Attempt.Refused
        ? join(steps, request.with(IfHeld.REFUSE), asker.get())
        : stands;
  }

  private boolean removeRevoked(Steps steps, Observed observed, Request request, Asker asker) {
    RequestKey key = new RequestKey(observed.name(), observed.request());
    long revision = asker.namespace().createRevision(observed.number());
    return revision > 0
        && steps
            .txn(
                List.of(
                    Ops.isThere(keys.session(request.id().session()), asker.session().revision()),
                    Ops.isThere(keys.namespace(), asker.namespace().revision()),
                    Ops.isThere(keys.place(key), revision),
                    Ops.isThere(keys.mark(key)),
                    Ops.isAbsent(keys.timer(key))),
                removal(key),
                List.of())
            .isSucceeded();
  }

  /** What takes a request away, with what is known of it. */
  List<Op> removal(RequestKey key) {
    return List.of(Ops.delete(keys.place(key)), Ops.delete(keys.markWithTimer(key)));
  }

  Released release(Steps steps, LockName name, RequestId request) {
    RequestKey key = new RequestKey(name, request);
    watches.forget(request);
    TxnResponse answer =
        steps.txn(
            List.of(Ops.isThere(keys.place(key))),
            List.of(
                Ops.firstKey(keys.queue(name)),
                Ops.delete(keys.place(key)),
                Ops.delete(keys.markWithTimer(key)),
                Ops.firstKey(keys.queue(name))),
            List.of());
    if (!answer.isSucceeded()) {
      return Released.NOTHING;
    }
    boolean held = Ops.found(answer, 0).get(0).getKey().equals(keys.place(key));
    if (!held) {
      return Released.WAS_WAITING;
    }
    return Ops.found(answer, 1).isEmpty() ? Released.FREED : Released.HANDED_ON;
  }
}
