package io.holdfast;

/** What happened when a grant was given back. */
public enum ReleaseOutcome {
  /** The lock is free now. */
  FREED,
  /** The next waiter holds the lock now. */
  HANDED_ON,
  /** The grant had been lost before; the lock may belong to somebody else, who is not disturbed. */
  LOST,
  /** The grant had been given back before, by itself or with its client. */
  ALREADY_RELEASED,
  /**
   * The client has left the grant to a later life of the process ({@link LockClient#orphan}), which
   * alone can give it back now.
   */
  ORPHANED,
  /**
   * The store did not answer. The release is repeated in the background until it succeeds or the
   * session is over; this process does not believe any more that it holds the lock.
   */
  PENDING
}
