package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Op;
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

/** What is written about a holder that is revoked. */
record Revoked(Keys keys, Entry entry, StoredSession session) {

  private RequestId request() {
    return entry.key().request();
  }

  /** Returns the lease of the time that the holder has since an earlier revocation. */
  OptionalLong timer() {
    return entry.marks().find(entry.key(), Mark.TIMER).stream()
        .mapToLong(KeyValue::getLease)
        .findFirst();
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
    if (!entry.marks().isRevoked(entry.key())) {
      ByteSequence now = Keys.bytes(Instant.now().toString());
      ops.add(Ops.put(keys.mark(entry.key(), Mark.REVOKED), now, session.lease()));
    }
    ops.add(Ops.put(keys.mark(entry.key(), Mark.TIMER), ByteSequence.EMPTY, timer));
    return ops;
  }

  /**
   * Writes what is there already, which gives the first waiter a hint, so that it looks and learns
   * when the time is over.
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
            entry.putOn(session.lease()), hint, Ops.delete(keys.mark(entry.key(), Mark.DELAY)))
        : List.of(entry.putOn(entry.stored().getLease()), hint);
  }
}
