package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Op;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.EtcdErrors;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.record.Liveness;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Observed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The verbs {@code revoke} and {@code revokeIn}. etcd has no clock to read, but it counts the time
 * of leases. So a revoked request has a mark, and a timer on a lease of its own, which lasts as
 * long as its holder has to stop. If there is a mark but no timer, that time has passed.
 *
 * <p>A step that finds that the request was written to since it was read changes nothing, and the
 * request is read again.
 */
public final class Revocations {

  private static final Optional<Revocation> AGAIN = Optional.empty();

  private final Keys keys;
  private final Namespaces namespaces;

  public Revocations(Keys keys, Namespaces namespaces) {
    this.keys = keys;
    this.namespaces = namespaces;
  }

  public Revocation revoke(EtcdCalls calls, Observed observed, RevokeWhen when) {
    return untilSettled(calls, observed, entry -> revoke(calls, entry, when));
  }

  public Revocation revokeIn(EtcdCalls calls, Observed observed, Duration notice) {
    return untilSettled(calls, observed, entry -> revokeIn(calls, entry, notice));
  }

  private Revocation untilSettled(
      EtcdCalls calls, Observed observed, Function<Entry, Optional<Revocation>> revoking) {
    RequestKey key = new RequestKey(observed.name(), observed.request());
    Optional<Revocation> revoked;
    do {
      revoked =
          Entry.find(calls, keys, namespaces, key)
              .filter(entry -> entry.isAsObserved(observed))
              .map(revoking)
              .orElse(Optional.of(new Revocation.Changed()));
    } while (revoked.isEmpty());
    return revoked.get();
  }

  private Optional<Revocation> revoke(EtcdCalls calls, Entry entry, RevokeWhen when) {
    Liveness liveness = entry.liveness();
    if (liveness == Liveness.STAYING || liveness == Liveness.ENDED) {
      return remove(calls, entry); // There is no session to tell.
    }
    if (entry.session().isEmpty()) {
      return Optional.of(new Revocation.Changed());
    }
    Revoked holder = new Revoked(keys, entry, entry.session().get());
    // The session first, so that no grant is removed before its holder can be told.
    if (!isTold(calls, holder, when)) {
      return AGAIN;
    }
    return when == RevokeWhen.NOW || liveness == Liveness.REVOCATION_DUE
        ? remove(calls, entry)
        : mark(calls, holder);
  }

  /** Without space in etcd the notice cannot be written; a revocation NOW goes on nevertheless. */
  private static boolean isTold(EtcdCalls calls, Revoked holder, RevokeWhen when) {
    try {
      return isWritten(calls, holder, holder.notice());
    } catch (BackendFailure failure) {
      if (when == RevokeWhen.NOW && EtcdErrors.isOutOfSpace(failure)) {
        return true;
      }
      throw failure;
    }
  }

  private static boolean isWritten(EtcdCalls calls, Revoked holder, List<Op> ops) {
    return calls
        .txnUnlessLeaseGone(List.of(holder.entry().isAsRead()), ops, List.of())
        .filter(TxnResponse::isSucceeded)
        .isPresent();
  }

  private Optional<Revocation> remove(EtcdCalls calls, Entry entry) {
    KeyValue stored = entry.stored();
    boolean removed =
        calls
            .txn(
                List.of(Ops.isThere(stored.getKey(), stored.getCreateRevision())),
                Ops.removal(keys, entry.key(), stored.getKey()),
                List.of())
            .isSucceeded();
    return Optional.of(removed ? new Revocation.Freed() : new Revocation.Changed());
  }

  /** The timer begins after the notice was written and before the mark is. */
  private static Optional<Revocation> mark(EtcdCalls calls, Revoked holder) {
    Duration ttl = holder.session().ttl();
    if (hasLess(calls, holder, ttl)) {
      return keepTime(calls, holder);
    }
    long timer = calls.grantLease(ttl.toSeconds()).getID();
    if (hasLess(calls, holder, ttl)) { // More than what is left now, for it took a while.
      calls.revokeLease(timer);
      return keepTime(calls, holder);
    }
    return mark(calls, holder, timer, ttl, holder.mark(timer, true));
  }

  /** The present time to stop ends sooner than another. A lock-delay is used up all the same. */
  private static Optional<Revocation> keepTime(EtcdCalls calls, Revoked holder) {
    return !holder.entry().hasDelayLeft() || isWritten(calls, holder, holder.rewrite(true))
        ? Optional.of(new Revocation.Marked(timeLeft(calls, holder)))
        : AGAIN;
  }

  private static Duration timeLeft(EtcdCalls calls, Revoked holder) {
    OptionalLong timer = holder.timer();
    return timer.isPresent()
        ? calls.leaseTimes(timer.getAsLong()).atMost(timer.getAsLong())
        : Duration.ZERO;
  }

  /** Whether the holder was revoked before, and has no more time left than that. */
  private static boolean hasLess(EtcdCalls calls, Revoked holder, Duration time) {
    OptionalLong timer = holder.timer();
    return timer.isPresent()
        && calls.leaseTimes(timer.getAsLong()).atLeast(timer.getAsLong()).compareTo(time) <= 0;
  }

  private static Optional<Revocation> mark(
      EtcdCalls calls, Revoked holder, long timer, Duration time, List<Op> marks) {
    if (isWritten(calls, holder, marks)) {
      return Optional.of(new Revocation.Marked(time));
    }
    calls.revokeLease(timer);
    return AGAIN;
  }

  private Optional<Revocation> revokeIn(EtcdCalls calls, Entry entry, Duration notice) {
    Liveness liveness = entry.liveness();
    boolean isDue = liveness == Liveness.REVOCATION_DUE || liveness == Liveness.ENDED;
    if (liveness == Liveness.STAYING || (isDue && !entry.hasDelayLeft())) {
      return remove(calls, entry);
    }
    if (isDue) {
      return Optional.of(new Revocation.Marked(Duration.ZERO)); // Who overtakes it decides.
    }
    return entry.session().isEmpty()
        ? Optional.of(new Revocation.Changed())
        : revokeIn(calls, new Revoked(keys, entry, entry.session().get()), notice);
  }

  /**
   * The session first, here too. In the end the timers of the notice and of the mark are on one
   * lease, so that neither is there without the other whatever etcd does to leases. That lease
   * begins after the notice was written, because its holder has a whole TTL from then on.
   */
  private static Optional<Revocation> revokeIn(EtcdCalls calls, Revoked holder, Duration notice) {
    Duration ttl = holder.session().ttl();
    Duration time = HolderStays.wholeSeconds(notice.compareTo(ttl) > 0 ? notice : ttl);
    if (hasLess(calls, holder, time)) {
      return Optional.of(new Revocation.Marked(timeLeft(calls, holder)));
    }
    long first = calls.grantLease(time.toSeconds()).getID();
    if (hasLess(calls, holder, time) || !isWritten(calls, holder, holder.notice(notice, first))) {
      calls.revokeLease(first);
      return AGAIN;
    }
    long timer = calls.grantLease(time.toSeconds()).getID();
    Optional<Revocation> marked = mark(calls, holder, timer, time, holder.markWithNotice(timer));
    if (marked.isPresent()) {
      calls.revokeLease(first); // Nothing is on it any more.
    }
    return marked;
  }
}
