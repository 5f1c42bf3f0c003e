package io.holdfast;

import java.time.Duration;

/** What became of a revocation. */
public sealed interface Revocation {

  /**
   * The grant is marked.
   *
   * @param remaining after which time it passes on at the latest, judged by the store at its answer
   */
  record Marked(Duration remaining) implements Revocation {}

  /** The head has left. */
  record Freed() implements Revocation {}

  /** The observed grant is not in force any more; nothing was changed. */
  record Changed() implements Revocation {}
}
