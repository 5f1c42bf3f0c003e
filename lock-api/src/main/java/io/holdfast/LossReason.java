package io.holdfast;

/** Why a grant was lost. */
public enum LossReason {
  /** The store said that the session is over. */
  SESSION_ENDED,
  /** The lease ran out and no renewal succeeded within the grace time. */
  LEASE_EXPIRED,
  /** An operator, or a later life of the same process, revoked it. */
  REVOKED,
  /** It was given back by whoever held it. */
  RELEASED,
  /** Its client was closed, and has given it back. */
  CLIENT_CLOSED,
  /** Its client has left it to a later life of the process ({@link LockClient#orphan}). */
  ORPHANED
}
