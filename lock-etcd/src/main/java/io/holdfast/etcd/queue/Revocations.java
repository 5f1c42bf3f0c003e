package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.holdfast.Liveness;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.EtcdErrors;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.etcd.format.StoredSession;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.etcd.session.Sessions;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Observed;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Revokes grants. etcd has no clock to read, but it counts the time of leases. So a revoked request
 * has two keys: a mark, and a timer on a lease of its own with the TTL of the holder's session. If
 * there is a mark but no timer, a whole TTL has passed.
 */
public final class Revocations {

  private final Keys keys;
  private final Namespaces namespaces;

  public Revocations(Keys keys, Namespaces namespaces) {
    this.keys = keys;
    this.namespaces = namespaces;
  }

  /** A grant in force: the lock as it was read, the holder, and its session. */
  private record Target(
      RequestKey key,
      LockSnapshot snapshot,
      StoredRequest holder,
      ByteSequence value,
      StoredSession session) {}

  public Revocation revoke(EtcdCalls calls, Observed observed, RevokeWhen when) {
    Optional<Target> target = find(calls, observed);
    // The session first, so that no grant is removed before its holder can be told.
    if (target.isEmpty() || !notice(calls, target.get(), when)) {
      return new Revocation.Changed();
    }
    boolean due =
        target.get().snapshot().liveness(target.get().holder()) == Liveness.REVOCATION_DUE;
    return when == RevokeWhen.NOW || due ? remove(calls, target.get()) : mark(calls, target.get());
  }

  private Optional<Target> find(EtcdCalls calls, Observed observed) {
    TxnResponse answer =
        calls.read(
            List.of(
                Ops.get(keys.namespace()),
                Ops.get(keys.session(observed.request().session())),
                Ops.all(keys.queue(observed.name())),
                Ops.get(keys.marks(observed.name()))));
    Optional<StoredNamespace> namespace = namespaces.readFrom(answer, 0);
    Optional<KeyValue> session = Ops.foundOne(answer, 1);
    if (namespace.isEmpty() || session.isEmpty()) {
      return Optional.empty();
    }
    LockSnapshot snapshot =
        LockSnapshot.of(
            keys, namespace.get(), observed.name(), Ops.found(answer, 2), Ops.found(answer, 3));
    int index = snapshot.indexOf(observed.request());
    if (index < 0 || index >= snapshot.holders().size()) {
      return Optional.empty();
    }
    KeyValue entry = Ops.found(answer, 2).get(index);
    return Optional.of(entry)
        .filter(present -> Queues.isAsObserved(present, observed, namespace.get()))
        .map(
            present ->
                new Target(
                    new RequestKey(observed.name(), observed.request()),
                    snapshot,
                    snapshot.queue().get(index),
                    present.getValue(),
                    StoredSession.of(session.get(), Sessions.cluster(answer))));
  }

  /** Without space in etcd the notice cannot be written; a revocation NOW goes on nevertheless. */
  private boolean notice(EtcdCalls calls, Target target, RevokeWhen when) {
    try {
      return notice(calls, target);
    } catch (BackendFailure failure) {
      if (when == RevokeWhen.NOW && EtcdErrors.isOutOfSpace(failure)) {
        return true;
      }
      throw failure;
    }
  }

  private boolean notice(EtcdCalls calls, Target target) {
    return calls
        .txnUnlessLeaseGone(
            List.of(Ops.isThere(target.holder().key(), target.holder().revision())),
            List.of(
                Ops.put(
                    keys.notice(target.key().request()),
                    ByteSequence.EMPTY,
                    target.session().lease())),
            List.of())
        .filter(TxnResponse::isSucceeded)
        .isPresent();
  }

  private Revocation remove(EtcdCalls calls, Target target) {
    boolean removed =
        calls
            .txn(
                List.of(Ops.isThere(target.holder().key(), target.holder().revision())),
                Ops.removal(keys, target.key(), target.holder().key()),
                List.of())
            .isSucceeded();
    return removed ? new Revocation.Freed() : new Revocation.Changed();
  }

  private Revocation mark(EtcdCalls calls, Target target) {
    Optional<KeyValue> running = target.snapshot().timer(target.holder());
    if (running.isPresent()) {
      return new Revocation.Marked(calls.remaining(running.get().getLease()));
    }
    // The timer begins after the notice was written and before the mark is.
    long timer = calls.grantLease(target.session().ttl().toSeconds()).getID();
    Optional<TxnResponse> marked =
        calls.txnUnlessLeaseGone(
            List.of(
                Ops.isThere(target.holder().key(), target.holder().revision()),
                Ops.isAbsent(keys.mark(target.key()))),
            List.of(
                Ops.put(
                    keys.mark(target.key()),
                    Keys.bytes(Instant.now().toString()),
                    target.session().lease()),
                Ops.put(keys.timer(target.key()), ByteSequence.EMPTY, timer),
                // The value is unchanged. The write gives the first waiter a hint, so that it looks
                // and
                // learns when the time is over.
                Ops.put(target.holder().key(), target.value(), target.session().lease())),
            List.of(Ops.get(target.holder().key())));
    Duration ttl = target.session().ttl();
    if (marked.filter(TxnResponse::isSucceeded).isPresent()) {
      return new Revocation.Marked(ttl);
    }
    calls.revokeLease(timer);
    boolean markedByOther = marked.flatMap(answer -> Ops.foundOne(answer, 0)).isPresent();
    return markedByOther ? new Revocation.Marked(ttl) : new Revocation.Changed();
  }
}
