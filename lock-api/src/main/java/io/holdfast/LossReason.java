package io.holdfast;

/** Why a grant was lost. */
public enum LossReason {
  /** The store said that the session is over. */
  SESSION_ENDED,
  /** The lease ran out and no renewal succeeded within the grace time. */
  LEASE_EXPIRED,
  /** An operator, or a later life of the same process, revoked it. */
  REVOKED,
  /** It was given back, or its client was closed. */
  RELEASED
}
