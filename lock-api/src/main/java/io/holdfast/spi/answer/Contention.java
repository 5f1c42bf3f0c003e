package io.holdfast.spi.answer;

/**
 * Whether other requests wait behind a holder. A store that does not know must answer {@link
 * #NOT_KNOWN}; it must not guess.
 */
public enum Contention {
  /** No request waited at the moment of the answer. */
  NOBODY_WAITS,
  /** At least one request waited at the moment of the answer. */
  SOMEBODY_WAITS,
  /** The answer does not say whether a request waited. */
  NOT_KNOWN;

  /** Returns the contention for a known number of waiters. */
  public static Contention of(int waiting) {
    return waiting > 0 ? SOMEBODY_WAITS : NOBODY_WAITS;
  }
}
