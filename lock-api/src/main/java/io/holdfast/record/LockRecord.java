package io.holdfast.record;

import io.holdfast.FencingToken;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import java.util.List;
import java.util.Optional;

/**
 * The state of a lock in the store at one moment.
 *
 * @param name the lock's name
 * @param number the number of the current grant, or of the last grant if the lock has no holder; 0
 *     if the store has no record of a grant
 * @param holders the requests that hold the lock, in the order in which they joined: one in
 *     exclusive mode, or any number in shared mode; none if the lock is free
 * @param waiters the waiting requests, in the order in which they will be served; the first of them
 *     if not all were asked for
 * @param waiting how many requests wait in all; never less than the size of {@code waiters}
 */
public record LockRecord(
    LockName name, long number, List<Holder> holders, List<Waiter> waiters, int waiting) {

  /** Copies the lists. */
  public LockRecord {
    holders = List.copyOf(holders);
    waiters = List.copyOf(waiters);
    waiting = Math.max(waiting, waiters.size());
  }

  /** Makes the record of a lock with all that wait for it. */
  public LockRecord(LockName name, long number, List<Holder> holders, List<Waiter> waiters) {
    this(name, number, holders, waiters, waiters.size());
  }

  /** Makes the record of a lock that has one holder at most. */
  public LockRecord(LockName name, long number, Optional<Holder> holder, List<Waiter> waiters) {
    this(name, number, holder.stream().toList(), waiters);
  }

  /** Returns the record of a lock that the store has no record of. */
  public static LockRecord unknown(LockName name) {
    return new LockRecord(name, 0, List.of(), List.of());
  }

  /** Returns the same record under another name, such as without a client's prefix. */
  public LockRecord withName(LockName other) {
    return new LockRecord(other, number, holders, waiters, waiting);
  }

  /** Returns the same record with so many of its waiters at most. */
  public LockRecord withFirst(int limit) {
    return waiters.size() <= limit
        ? this
        : new LockRecord(name, number, holders, waiters.subList(0, limit), waiting);
  }

  /**
   * Returns those of its waiters that stand behind one of them; empty if that one is not among
   * them.
   */
  public Optional<List<Waiter>> waitersBehind(RequestId after, int limit) {
    for (int i = 0; i < waiters.size(); i++) {
      if (waiters.get(i).request().equals(after)) {
        return Optional.of(waiters.stream().skip(i + 1L).limit(limit).toList());
      }
    }
    return Optional.empty();
  }

  /** Returns how many requests wait besides those in {@link #waiters}. */
  public int moreWaiters() {
    return waiting - waiters.size();
  }

  /**
   * Returns the first of the {@linkplain #holders() holders}, which is the only one in exclusive
   * mode; empty if the lock is free.
   */
  public Optional<Holder> holder() {
    return holders.stream().findFirst();
  }

  /**
   * Returns whether the lock has a holder that counts. A {@linkplain #holders() holder} does not
   * count if its session has lapsed or ended and it does not stay ({@link Liveness#STAYING}), or if
   * it was revoked at least one whole TTL ago. Such a holder stays in the record until another
   * client takes the lock over, which any client may do now. If the session has only lapsed, a late
   * renewal may still save it until then. Meant for people; do not base decisions on it.
   */
  public boolean isHeld() {
    return holders.stream().anyMatch(Holder::counts);
  }

  /** Returns the number with which one of the {@linkplain #holders() holders} has the lock. */
  public long numberOf(Holder holder) {
    return holder.ownNumber().orElse(number);
  }

  /**
   * Returns whether the number in a sequencer holds the lock, in its mode. That of a session which
   * has lapsed does until the session is ended, and after that for as long as the request
   * {@linkplain Liveness#STAYING stays}; that of a request which was revoked at least one whole TTL
   * ago does not.
   */
  public boolean isHeldWith(Sequencer sequencer) {
    return holders.stream()
        .filter(holder -> holder.counts() || holder.liveness() == Liveness.LAPSED)
        .filter(holder -> holder.mode() == sequencer.mode())
        .anyMatch(holder -> numberOf(holder) == sequencer.token().number());
  }

  /** Returns the first token of the current or last grant; empty if the record has no grant. */
  public Optional<FencingToken> token() {
    return number == 0 ? Optional.empty() : Optional.of(FencingToken.of(number, 0));
  }
}
