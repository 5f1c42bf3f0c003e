package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.etcd.format.StoredSession;
import io.holdfast.record.RequestId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The record of a holder that is revoked.
 *
 * @param told the notice of that in its session
 */
record Revoked(Keys keys, Entry entry, StoredSession session, Told told) {

  Revoked with(Told other) {
    return new Revoked(keys, entry, session, other);
  }

  private RequestId request() {
    return entry.key().request();
  }

  /** Returns the lease of the time that the holder has since an earlier revocation. */
  private OptionalLong timer() {
    return entry.marks().find(entry.seat(), Mark.TIMER).stream()
        .mapToLong(KeyValue::getLease)
        .findFirst();
  }

  /** Whether the holder was revoked before, and has no more time left than that. */
  boolean hasLess(EtcdCalls calls, Duration time) {
    OptionalLong timer = timer();
    return timer.isPresent()
        && calls.leaseTimes(timer.getAsLong()).atLeast(timer.getAsLong()).compareTo(time) <= 0;
  }

  /** Returns what an earlier revocation leaves the holder. */
  Duration timeLeft(EtcdCalls calls) {
    OptionalLong timer = timer();
    return timer.isPresent()
        ? calls.leaseTimes(timer.getAsLong()).atMost(timer.getAsLong())
        : Duration.ZERO;
  }

  /**
   * No other client has written to it, or to its notice, since both were read. The notice is a key
   * of its own, which others who revoke the same holder write to without writing to the request.
   */
  List<Cmp> isAsRead() {
    return List.of(entry.isAsRead(), Ops.isUnchanged(keys.notice(request()), told.revision()));
  }

  /** The holder gives up at once. */
  List<Op> notice() {
    return List.of(
        Ops.put(keys.notice(request()), ByteSequence.EMPTY, session.lease()),
        Ops.delete(keys.noticeTimer(request())));
  }

  /** The holder may hold for so long, counted from the beginning of the timer. */
  List<Op> notice(Duration time, long timer) {
    ByteSequence value = Keys.bytes(String.valueOf(time.toMillis()));
    return List.of(Ops.put(keys.notice(request()), value, session.lease()), noticeTimer(timer));
  }

  private Op noticeTimer(long timer) {
    return Ops.put(keys.noticeTimer(request()), ByteSequence.EMPTY, timer);
  }

  /** Moves the timer of the notice to the lease of the mark's. */
  List<Op> markWithNotice(long timer) {
    List<Op> ops = mark(timer, false);
    ops.add(noticeTimer(timer));
    return ops;
  }

  List<Op> mark(long timer, boolean endsDelay) {
    List<Op> ops = new ArrayList<>(rewrite(endsDelay));
    if (!entry.isRevoked()) {
      ByteSequence now = Marks.revoked(Instant.now(), request());
      ops.add(Ops.put(keys.mark(entry.seat(), Mark.REVOKED), now, session.lease()));
    }
    ops.add(Ops.put(keys.mark(entry.seat(), Mark.TIMER), ByteSequence.EMPTY, timer));
    return ops;
  }

  /**
   * Writes the present value again, which gives the first waiter a hint, so that it looks and
   * learns when the time is over.
   *
   * @param endsDelay whether the request is to end with its session from now on
   */
  List<Op> rewrite(boolean endsDelay) {
    if (!entry.hasDelayLeft()) {
      return List.of(entry.putOn(session.lease()));
    }
    Op hint = entry.touchAlive(keys, session);
    return endsDelay
        ? List.of(
            entry.putOn(session.lease()), hint, Ops.delete(keys.mark(entry.seat(), Mark.DELAY)))
        : List.of(entry.putOn(entry.stored().getLease()), hint);
  }
}
