package io.holdfast.spi;

/** Whether others wait behind a holder. A store that cannot tell says so: it must not guess. */
public enum Contention {
  /** At the moment of the answer nobody waited. */
  NOBODY_WAITS,
  /** At the moment of the answer somebody waited. */
  SOMEBODY_WAITS,
  /** This answer does not tell. */
  NOT_KNOWN;

  /** Returns what is known where the number of those who wait is. */
  public static Contention of(int waiting) {
    return waiting > 0 ? SOMEBODY_WAITS : NOBODY_WAITS;
  }
}
