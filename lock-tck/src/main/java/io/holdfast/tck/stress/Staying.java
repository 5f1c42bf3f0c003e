package io.holdfast.tck.stress;

/** The grants whose locks stay taken for a moment, of those given back or held at a death. */
public enum Staying {
  NOTHING,

  /** Some of those given back. */
  LEAST_TIMES,

  /**
   * Also some of what was held by a session that is ended. A store that ends sessions by itself may
   * take such an end for a release.
   */
  LEAST_TIMES_AND_DELAYS
}
