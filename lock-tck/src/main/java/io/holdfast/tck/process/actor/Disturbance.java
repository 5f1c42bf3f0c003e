package io.holdfast.tck.process.actor;

/** What happens to the workers of a workload besides their work. */
public enum Disturbance {
  /** Nothing. */
  NONE,
  /** They are interrupted, and their clients are closed while they are in use. */
  INTERRUPT_AND_CLOSE
}
