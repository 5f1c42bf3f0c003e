package io.holdfast.etcd.queue;

import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Released;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holders that stay without a session: after the verb {@code releaseAfter}, and for a lock-delay. A
 * write moves the key to a lease of its own, together with a mark; the place, the number and the
 * mode stay. When the time is over, etcd deletes both, and the next request has the lock.
 */
public final class HolderStays {

  private final Keys keys;
  private final Namespaces namespaces;
  private final Places places;
  private final Seats seats;
  private final Releases releases;

  public HolderStays(
      Keys keys, Namespaces namespaces, Places places, Seats seats, Releases releases) {
    this.keys = keys;
    this.namespaces = namespaces;
    this.places = places;
    this.seats = seats;
    this.releases = releases;
  }

  public Released releaseAfter(EtcdCalls calls, RequestKey key, Duration stay) {
    while (true) {
      Optional<Entry> found =
          Entry.find(calls, keys, namespaces, key, places.of(key.request()))
              .filter(Entry::holds)
              .filter(entry -> !entry.isRevoked());
      if (found.isEmpty()) {
        return releases.release(calls, key.name(), key.request());
      }
      if (found.get().marks().isGivenBack(found.get().seat())
          || giveBack(calls, found.get(), stay)) {
        places.forget(key.request());
        seats.stays(key, found.get().seat().asked());
        return Released.STAYS;
      }
      // It was written to meanwhile: downgraded, revoked, or given back by another copy.
    }
  }

  private boolean giveBack(EtcdCalls calls, Entry entry, Duration stay) {
    long lease = calls.grantLease(wholeSeconds(stay).toSeconds()).getID();
    List<Op> moves =
        List.of(
            entry.putOn(lease),
            Ops.put(
                keys.mark(entry.seat(), Mark.GIVEN_BACK),
                Marks.givenBack(entry.key().request()),
                lease),
            Ops.delete(keys.mark(entry.seat(), Mark.DELAY)),
            Ops.delete(keys.mark(entry.seat(), Mark.ALIVE)));
    return move(calls, lease, List.of(entry.isAsRead()), moves);
  }

  /**
   * Begins the lock-delay of a holder whose session is over: if it still is as it was read, and so
   * has not begun its delay.
   *
   * @param onlyIf further conditions
   */
  boolean beginDelay(EtcdCalls calls, Entry entry, List<Cmp> onlyIf) {
    Duration delay = entry.marks().lockDelay(entry.seat());
    long lease = calls.grantLease(wholeSeconds(delay).toSeconds()).getID();
    List<Cmp> conditions = new ArrayList<>(onlyIf);
    conditions.add(entry.isAsRead());
    conditions.add(Ops.isAbsent(keys.mark(entry.seat(), Mark.ALIVE)));
    List<Op> moves =
        List.of(
            entry.putOn(lease),
            Ops.put(
                keys.mark(entry.seat(), Mark.DELAY),
                Keys.bytes(String.valueOf(delay.toMillis())),
                lease),
            Ops.delete(keys.mark(entry.seat(), Mark.TIMER)));
    return move(calls, lease, conditions, moves);
  }

  /** Moves to a lease that was just granted, which is given back if nothing is on it. */
  private static boolean move(EtcdCalls calls, long lease, List<Cmp> onlyIf, List<Op> moves) {
    Optional<TxnResponse> moved = calls.txnUnlessLeaseGone(onlyIf, moves, List.of());
    if (moved.filter(TxnResponse::isSucceeded).isPresent()) {
      return true;
    }
    calls.revokeLease(lease);
    return false;
  }

  /** Leases are counted in whole seconds. etcd makes those longer that are too short for it. */
  static Duration wholeSeconds(Duration time) {
    return Duration.ofSeconds(time.plusSeconds(1).minusNanos(1).toSeconds());
  }
}
