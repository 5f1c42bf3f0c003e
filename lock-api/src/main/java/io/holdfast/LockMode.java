package io.holdfast;

/** How a lock is held. */
public enum LockMode {
  /** By one request alone. */
  EXCLUSIVE,
  /** Together with other shared requests. */
  SHARED
}
