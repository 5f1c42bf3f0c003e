package io.holdfast;

/** How a lock is held. */
public enum LockMode {
  /** The lock is held by one request alone. */
  EXCLUSIVE,
  /** The lock may be held together with other shared requests. */
  SHARED
}
