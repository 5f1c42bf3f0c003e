package io.holdfast;

import java.util.List;
import java.util.Optional;

/**
 * The state of a lock in the store at one moment.
 *
 * @param name the lock's name
 * @param number the number of the current grant, or of the last grant if the lock has no holder; 0
 *     if the store has no record of a grant
 * @param holder the request that holds the lock; empty if there is none
 * @param waiters the waiting requests, in the order in which they will be served
 */
public record LockRecord(
    LockName name, long number, Optional<Holder> holder, List<Waiter> waiters) {

  /** Copies the list. */
  public LockRecord {
    waiters = List.copyOf(waiters);
  }

  /** Returns the record of a lock that the store has no record of. */
  public static LockRecord unknown(LockName name) {
    return new LockRecord(name, 0, Optional.empty(), List.of());
  }

  /** Returns the same record under another name, such as without a client's prefix. */
  public LockRecord withName(LockName other) {
    return new LockRecord(other, number, holder, waiters);
  }

  /**
   * Returns whether the lock has a live holder. A {@linkplain #holder() holder} does not count as
   * live if its session has lapsed or ended, or if it was revoked at least one whole TTL ago. Such
   * a holder stays in the record until another client takes the lock over, which any client may do
   * now. If the session has only lapsed, a late renewal may still save it until then. Meant for
   * people; do not base decisions on it.
   */
  public boolean isHeld() {
    return holder.filter(present -> present.liveness() == Liveness.LIVE).isPresent();
  }

  /** Returns the first token of the current or last grant; empty if the record has no grant. */
  public Optional<FencingToken> token() {
    return number == 0 ? Optional.empty() : Optional.of(FencingToken.of(number, 0));
  }
}
