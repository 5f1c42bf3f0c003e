package io.holdfast;

/** The outcome of a release. */
public enum ReleaseOutcome {
  /** The lock is free now. */
  FREED,
  /** The next waiter, of this client or another, holds the lock now. */
  HANDED_ON,
  /** Other requests that share the lock hold it still. */
  SHARED,
  /** The lock stays with this client, because it is {@linkplain AcquireOptions#cached cached}. */
  KEPT,
  /** The lock stays taken until its {@linkplain AcquireOptions#atLeast least time} is up. */
  STAYS,
  /**
   * The grant had been lost before. If the lock has another holder now, the release does not affect
   * it.
   */
  LOST,
  /** The grant had been released before, by itself or with its client. */
  ALREADY_RELEASED,
  /**
   * The client has left the grant to a later run of the process ({@link LockClient#orphan}). Only
   * that run can release it now.
   */
  ORPHANED,
  /**
   * The store did not answer. The release is repeated in the background until it succeeds or the
   * session is over. This process already counts the lock as not held.
   */
  PENDING
}
