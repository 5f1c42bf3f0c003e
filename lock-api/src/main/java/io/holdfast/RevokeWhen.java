package io.holdfast;

/** When a revoked lock passes on. */
public enum RevokeWhen {
  /** When its holder has given it back, is over, or a whole TTL has passed since the mark. */
  SAFELY,
  /** At once, under a holder who may still believe that it holds. */
  NOW
}
