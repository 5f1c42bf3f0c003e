package io.holdfast.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.holdfast.Liveness;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Observed;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Revoking. etcd has no clock to ask, but it counts the time of leases: a mark says that a request
 * was revoked, and beside it lies a timer, on a lease of its own with the TTL of the holder's
 * session. Where the mark is there and the timer is not, a whole TTL has passed.
 */
final class Revocations {

  private final Keys keys;
  private final Namespaces namespaces;
  private final Queues queues;

  Revocations(Keys keys, Namespaces namespaces, Queues queues) {
    this.keys = keys;
    this.namespaces = namespaces;
    this.queues = queues;
  }

  /** A grant that is in force: the lock as it was seen, its head, and the head's session. */
  private record Target(
      RequestKey key, Seen seen, Place head, ByteSequence value, SessionRef session) {}

  Revocation revoke(Steps steps, Observed observed, RevokeWhen when) {
    Optional<Target> target = find(steps, observed);
    // The session first, so that nobody is evicted who was not told.
    if (target.isEmpty() || !notice(steps, target.get(), when)) {
      return new Revocation.Changed();
    }
    boolean due = target.get().seen().liveness(target.get().head()) == Liveness.REVOCATION_DUE;
    return when == RevokeWhen.NOW || due ? remove(steps, target.get()) : mark(steps, target.get());
  }

  private Optional<Target> find(Steps steps, Observed observed) {
    TxnResponse answer =
        steps.read(
            List.of(
                Ops.get(keys.namespace()),
                Ops.get(keys.session(observed.request().session())),
                Ops.first(keys.queue(observed.name())),
                Ops.get(keys.marks(observed.name()))));
    Optional<Namespace> namespace = namespaces.seen(answer, 0);
    Optional<KeyValue> session = Ops.foundOne(answer, 1);
    if (namespace.isEmpty() || session.isEmpty()) {
      return Optional.empty();
    }
    Seen seen =
        Seen.of(keys, namespace.get(), observed.name(), Ops.found(answer, 2), Ops.found(answer, 3));
    return seen.head()
        .filter(head -> head.request().equals(observed.request()))
        .filter(head -> namespace.get().number(head.revision()) == observed.number())
        .map(
            head ->
                new Target(
                    new RequestKey(observed.name(), observed.request()),
                    seen,
                    head,
                    Ops.found(answer, 2).get(0).getValue(),
                    SessionRef.of(session.get(), Sessions.cluster(answer))));
  }

  /** Without space nobody can be told; who wants it now gets it all the same. */
  private boolean notice(Steps steps, Target target, RevokeWhen when) {
    try {
      return notice(steps, target);
    } catch (BackendFailure failure) {
      if (when == RevokeWhen.NOW && EtcdErrors.isOutOfSpace(failure)) {
        return true;
      }
      throw failure;
    }
  }

  private boolean notice(Steps steps, Target target) {
    return steps
        .txnUnlessLeaseGone(
            List.of(Ops.isThere(keys.place(target.key()), target.head().revision())),
            List.of(
                Ops.put(
                    keys.notice(target.key().request()),
                    ByteSequence.EMPTY,
                    target.session().lease())),
            List.of())
        .filter(TxnResponse::isSucceeded)
        .isPresent();
  }

  private Revocation remove(Steps steps, Target target) {
    boolean removed =
        steps
            .txn(
                List.of(Ops.isThere(keys.place(target.key()), target.head().revision())),
                queues.removal(target.key()),
                List.of())
            .isSucceeded();
    return removed ? new Revocation.Freed() : new Revocation.Changed();
  }

  private Revocation mark(Steps steps, Target target) {
    Optional<KeyValue> running = target.seen().timer(target.head());
    if (running.isPresent()) {
      return new Revocation.Marked(steps.remaining(running.get().getLease()));
    }
    // The time begins before the mark is there but after the holder can be told.
    long timer = steps.grantLease(target.session().ttl().toSeconds()).getID();
    Optional<TxnResponse> marked =
        steps.txnUnlessLeaseGone(
            List.of(
                Ops.isThere(keys.place(target.key()), target.head().revision()),
                Ops.isAbsent(keys.mark(target.key()))),
            List.of(
                Ops.put(
                    keys.mark(target.key()),
                    Keys.bytes(Instant.now().toString()),
                    target.session().lease()),
                Ops.put(keys.timer(target.key()), ByteSequence.EMPTY, timer),
                // The same as before: so the first waiter, who watches it, looks, and learns when
                // the time is over.
                Ops.put(keys.place(target.key()), target.value(), target.session().lease())),
            List.of(Ops.get(keys.place(target.key()))));
    Duration ttl = target.session().ttl();
    if (marked.filter(TxnResponse::isSucceeded).isPresent()) {
      return new Revocation.Marked(ttl);
    }
    steps.revokeLease(timer);
    boolean markedByOther = marked.flatMap(answer -> Ops.foundOne(answer, 0)).isPresent();
    return markedByOther ? new Revocation.Marked(ttl) : new Revocation.Changed();
  }
}
