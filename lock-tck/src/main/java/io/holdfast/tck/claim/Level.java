package io.holdfast.tck.claim;

/**
 * The part of an adapter that a rule proves. A store proves a level if it lets tests do what that
 * takes.
 */
public enum Level {
  /** The verbs, and the engine's work with them, while nothing goes wrong with the store. */
  CORE,
  /** The store's clock steps, and days pass. */
  TIME,
  /** The network between clients and the store fails. */
  NETWORK,
  /** The store starts again, fails over, and may have lost what it answered. */
  LOSS,
  /** Many clients and processes: killed between any two steps, paused, with clocks of their own. */
  PROCESSES
}
