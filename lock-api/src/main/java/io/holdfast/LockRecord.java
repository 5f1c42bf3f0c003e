package io.holdfast;

import java.util.List;
import java.util.Optional;

/**
 * A lock as it was seen in the store at one moment.
 *
 * @param name the lock's name
 * @param number the number of the current grant, or of the last one if nobody holds the lock; 0 if
 *     there is no record of any
 * @param holder who holds it
 * @param waiters who waits for it, in the order in which they will be served
 */
public record LockRecord(
    LockName name, long number, Optional<Holder> holder, List<Waiter> waiters) {

  /** Copies the list. */
  public LockRecord {
    waiters = List.copyOf(waiters);
  }

  /** Returns the record of a lock of which the store knows nothing. */
  public static LockRecord unknown(LockName name) {
    return new LockRecord(name, 0, Optional.empty(), List.of());
  }

  /** Returns the same record under another name, such as without a client's prefix. */
  public LockRecord withName(LockName other) {
    return new LockRecord(other, number, holder, waiters);
  }

  /**
   * Returns whether somebody holds the lock who counts. A {@linkplain #holder() holder} whose
   * session has lapsed or ended, or that was revoked a whole TTL ago, does not: it stays on record
   * until somebody takes the lock over, which anybody may now. Where it has lapsed, a late renewal
   * may still save it until then: this is for people and decides nothing.
   */
  public boolean isHeld() {
    return holder.filter(present -> present.liveness() == Liveness.LIVE).isPresent();
  }

  /** Returns the first token of the current or last grant; empty if none is on record. */
  public Optional<FencingToken> token() {
    return number == 0 ? Optional.empty() : Optional.of(FencingToken.of(number, 0));
  }
}
