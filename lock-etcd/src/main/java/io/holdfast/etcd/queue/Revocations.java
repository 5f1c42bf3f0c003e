package io.holdfast.etcd.queue;

import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
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
 * <p>The holder's session is told first, by its notice. A step that finds that the request or the
 * notice was written to since it was read changes nothing, and both are read again. So the notice
 * never leaves more time than the mark. Of two who revoke the same holder, the one that leaves less
 * time writes over the notice of the other, and not the other way round: each goes on with the
 * notice of the other if that is the stricter one, also if the other has died.
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
    return untilSettled(calls, observed, seen -> revoke(calls, seen, when));
  }

  public Revocation revokeIn(EtcdCalls calls, Observed observed, Duration notice) {
    return untilSettled(calls, observed, seen -> revokeIn(calls, seen, notice));
  }

  /** A request and what its holder is told, at one moment. */
  private record Seen(Entry entry, Told told) {

    Optional<Revoked> holder(Keys keys) {
      return entry.session().map(session -> new Revoked(keys, entry, session, told));
    }
  }

  private Revocation untilSettled(
      EtcdCalls calls, Observed observed, Function<Seen, Optional<Revocation>> revoking) {
    RequestKey key = new RequestKey(observed.name(), observed.request());
    Optional<Revocation> revoked;
    do {
      revoked =
          find(calls, key)
              .filter(seen -> seen.entry().isAsObserved(observed))
              .map(revoking)
              .orElse(Optional.of(new Revocation.Changed()));
    } while (revoked.isEmpty());
    return revoked.get();
  }

  private Optional<Seen> find(EtcdCalls calls, RequestKey key) {
    List<Op> reads = Entry.readsWithQueue(keys, key);
    int notice = reads.size();
    reads.add(Ops.get(keys.noticeWithTimer(key.request())));
    TxnResponse answer = calls.read(reads);
    Told told = Told.of(keys, key.request(), Ops.found(answer, notice));
    return Entry.of(keys, namespaces, key, answer).map(entry -> new Seen(entry, told));
  }

  private Optional<Revocation> revoke(EtcdCalls calls, Seen seen, RevokeWhen when) {
    Liveness liveness = seen.entry().liveness();
    if (liveness == Liveness.STAYING || liveness == Liveness.ENDED) {
      return remove(
          calls, seen.entry(), List.of(seen.entry().isAsRead())); // There is no session to tell.
    }
    boolean leaves = when == RevokeWhen.NOW || liveness == Liveness.REVOCATION_DUE;
    return seen.holder(keys)
        .map(holder -> leaves ? removeTold(calls, holder, when) : markTold(calls, holder))
        .orElse(Optional.of(new Revocation.Changed()));
  }

  /**
   * The session first, so that no grant is removed before its holder can be told. Without space in
   * etcd the notice cannot be written; a revocation NOW goes on nevertheless.
   */
  private Optional<Revocation> removeTold(EtcdCalls calls, Revoked holder, RevokeWhen when) {
    Optional<Revoked> told;
    try {
      told = tellToStop(calls, holder);
    } catch (BackendFailure failure) {
      if (when == RevokeWhen.NOW && EtcdErrors.isOutOfSpace(failure)) {
        return remove(calls, holder.entry(), List.of(holder.entry().isThere()));
      }
      throw failure;
    }
    return told.flatMap(stops -> remove(calls, stops.entry(), stops.isAsRead()));
  }

  private static Optional<Revocation> markTold(EtcdCalls calls, Revoked holder) {
    return tellToStop(calls, holder).flatMap(told -> mark(calls, told));
  }

  /** Returns the holder that is told; empty if something has changed. */
  private static Optional<Revoked> tellToStop(EtcdCalls calls, Revoked holder) {
    if (holder.told() instanceof Told.Stop) {
      return Optional.of(holder); // By another, who would find its notice changed.
    }
    OptionalLong revision = write(calls, holder, holder.notice());
    return revision.isPresent()
        ? Optional.of(holder.with(new Told.Stop(revision.getAsLong())))
        : Optional.empty();
  }

  /** Returns the revision; empty if something has changed. */
  private static OptionalLong write(EtcdCalls calls, Revoked holder, List<Op> ops) {
    return calls.txnUnlessLeaseGone(holder.isAsRead(), ops, List.of()).stream()
        .filter(TxnResponse::isSucceeded)
        .mapToLong(answer -> answer.getHeader().getRevision())
        .findFirst();
  }

  private Optional<Revocation> remove(EtcdCalls calls, Entry entry, List<Cmp> onlyIf) {
    List<Op> removal = Ops.removal(keys, entry.seat(), entry.stored().getKey());
    return calls.txn(onlyIf, removal, List.of()).isSucceeded()
        ? Optional.of(new Revocation.Freed())
        : AGAIN;
  }

  /** The timer begins after the notice was written and before the mark is. */
  private static Optional<Revocation> mark(EtcdCalls calls, Revoked holder) {
    Duration ttl = holder.session().ttl();
    if (holder.hasLess(calls, ttl)) {
      return keepTime(calls, holder);
    }
    long timer = calls.grantLease(ttl.toSeconds()).getID();
    if (holder.hasLess(calls, ttl)) { // More than the rest now, for it took a while.
      calls.revokeLease(timer);
      return keepTime(calls, holder);
    }
    return mark(calls, holder, timer, ttl, holder.mark(timer, true));
  }

  /** The present time to stop ends sooner than another. A lock-delay is used up all the same. */
  private static Optional<Revocation> keepTime(EtcdCalls calls, Revoked holder) {
    return !holder.entry().hasDelayLeft() || write(calls, holder, holder.rewrite(true)).isPresent()
        ? Optional.of(new Revocation.Marked(holder.timeLeft(calls)))
        : AGAIN;
  }

  private static Optional<Revocation> mark(
      EtcdCalls calls, Revoked holder, long timer, Duration time, List<Op> marks) {
    if (write(calls, holder, marks).isPresent()) {
      return Optional.of(new Revocation.Marked(time));
    }
    calls.revokeLease(timer);
    return AGAIN;
  }

  private Optional<Revocation> revokeIn(EtcdCalls calls, Seen seen, Duration notice) {
    Entry entry = seen.entry();
    Liveness liveness = entry.liveness();
    boolean isDue = liveness == Liveness.REVOCATION_DUE || liveness == Liveness.ENDED;
    if (liveness == Liveness.STAYING || (isDue && !entry.hasDelayLeft())) {
      return remove(calls, entry, List.of(entry.isAsRead()));
    }
    if (isDue) {
      return Optional.of(new Revocation.Marked(Duration.ZERO)); // The overtaking request decides.
    }
    if (seen.told().isToStop()) {
      // It may have given up already. The client that told it so may have died before the mark.
      return revoke(calls, seen, RevokeWhen.SAFELY);
    }
    return seen.holder(keys)
        .map(holder -> revokeIn(calls, holder, notice))
        .orElse(Optional.of(new Revocation.Changed()));
  }

  private static Optional<Revocation> revokeIn(EtcdCalls calls, Revoked holder, Duration notice) {
    Optional<Told.StopIn> stricter = holder.told().within(notice);
    Duration time = time(holder, stricter.map(Told.StopIn::time).orElse(notice));
    if (holder.hasLess(calls, time)) {
      return Optional.of(new Revocation.Marked(holder.timeLeft(calls)));
    }
    return stricter.isPresent()
        ? markIn(calls, holder, stricter.get())
        : tellIn(calls, holder, notice);
  }

  /** The session first, here too. */
  private static Optional<Revocation> tellIn(EtcdCalls calls, Revoked holder, Duration notice) {
    Duration time = time(holder, notice);
    long first = calls.grantLease(time.toSeconds()).getID();
    OptionalLong revision =
        holder.hasLess(calls, time)
            ? OptionalLong.empty()
            : write(calls, holder, holder.notice(notice, first));
    if (revision.isEmpty()) {
      calls.revokeLease(first);
      return AGAIN;
    }
    Told.StopIn told = new Told.StopIn(revision.getAsLong(), notice, OptionalLong.of(first));
    Optional<Revocation> marked = markIn(calls, holder.with(told), told);
    if (marked.isEmpty() && calls.keysOn(first).isEmpty()) {
      calls.revokeLease(first); // Another has written over the notice.
    }
    return marked;
  }

  /** The holder has a whole TTL, however short the notice is. */
  private static Duration time(Revoked holder, Duration notice) {
    Duration ttl = holder.session().ttl();
    return HolderStays.wholeSeconds(notice.compareTo(ttl) > 0 ? notice : ttl);
  }

  /**
   * In the end the timers of the notice and of the mark are on one lease, so that neither is there
   * without the other, no matter what etcd does to leases. That lease begins after the notice was
   * written, because its holder has a whole TTL from then on.
   */
  private static Optional<Revocation> markIn(EtcdCalls calls, Revoked holder, Told.StopIn told) {
    Duration time = time(holder, told.time());
    long timer = calls.grantLease(time.toSeconds()).getID();
    Optional<Revocation> marked = mark(calls, holder, timer, time, holder.markWithNotice(timer));
    if (marked.isPresent()) {
      told.timer().ifPresent(calls::revokeLease); // Nothing is on it any more.
    }
    return marked;
  }
}
