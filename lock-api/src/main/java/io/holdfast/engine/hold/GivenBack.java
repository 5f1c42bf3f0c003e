package io.holdfast.engine.hold;

/** The outcome for a number whose grant was given back. */
public enum GivenBack {
  PASSED_ON,
  KEPT,
  /** Other threads of this client still have grants of it. */
  RIDDEN,
  /** The caller has it released in the store. */
  LEAVING
}
