package io.holdfast.spi;

import io.holdfast.LockRecord;
import java.time.Duration;
import java.time.Instant;

/** What became of a request for a lock. */
public sealed interface Attempt {

  /**
   * The request is the head of the queue.
   *
   * @param number the number of the grant
   * @param since when it became the head, by the store's clock
   */
  record Granted(long number, Instant since) implements Attempt {}

  /** The request waits in the queue. */
  record Queued() implements Attempt {}

  /**
   * Somebody else holds the lock, or the queue is as long as the store allows; the request is not
   * in it.
   *
   * @param record who holds it
   */
  record Refused(LockRecord record) implements Attempt {}

  /**
   * Nobody is granted the lock yet; the request is not in the queue.
   *
   * @param remaining for how long, judged by the store at its answer
   * @param why a sentence for people
   */
  record Delayed(Duration remaining, String why) implements Attempt {}

  /** The request's own session is over. */
  record SessionOver() implements Attempt {}
}
