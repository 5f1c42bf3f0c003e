package io.holdfast.tck.stress;

/** What stays taken for a moment, of what is given back or died with. */
public enum Staying {
  NOTHING,

  /** Some of what is given back. */
  LEAST_TIMES,

  /**
   * Also some of what was held by a session that is ended. A store that ends sessions by itself may
   * take such an end for a release.
   */
  LEAST_TIMES_AND_DELAYS
}
