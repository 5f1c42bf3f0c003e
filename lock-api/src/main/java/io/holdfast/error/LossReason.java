package io.holdfast.error;

import io.holdfast.AcquireOptions;
import io.holdfast.LockClient;

/** Why a grant was lost. */
public enum LossReason {
  /** The store said that the session is over. */
  SESSION_ENDED,
  /** The lease ran out and no renewal succeeded within the grace time. */
  LEASE_EXPIRED,
  /** An operator, or a later run of the same process, revoked the grant. */
  REVOKED,
  /** The holder released the grant. */
  RELEASED,
  /** The client was closed and has released the grant. */
  CLIENT_CLOSED,
  /** The client has left the grant to a later run of the process ({@link LockClient#orphan}). */
  ORPHANED,
  /** The lock was held for as long as {@link AcquireOptions#atMost} allows, and was released. */
  AT_MOST_REACHED
}
