package io.holdfast.tck.process.actor;

/** A disturbance of the workers of a workload. */
public enum Disturbance {
  /** Nothing. */
  NONE,
  /** They are interrupted, and their clients are closed while they are in use. */
  INTERRUPT_AND_CLOSE
}
