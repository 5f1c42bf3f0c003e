package io.holdfast.record;

/** When a revoked lock passes on. */
public enum RevokeWhen {
  /**
   * When the holder has released the lock, the holder's session is over, or one whole TTL has
   * passed since the mark.
   */
  SAFELY,
  /** At once, although the holder may still believe that it holds the lock. */
  NOW
}
