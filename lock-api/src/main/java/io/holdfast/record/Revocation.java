package io.holdfast.record;

import java.time.Duration;

/** The outcome of a revocation. */
public sealed interface Revocation {

  /**
   * The grant is marked as revoked.
   *
   * @param remaining the longest time until the lock passes on, judged by the store when it
   *     answered
   */
  record Marked(Duration remaining) implements Revocation {}

  /** The holder was removed from the queue. */
  record Freed() implements Revocation {}

  /** The observed grant is no longer in force. Nothing was changed. */
  record Changed() implements Revocation {}
}
