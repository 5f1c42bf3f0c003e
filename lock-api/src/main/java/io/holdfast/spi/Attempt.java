package io.holdfast.spi;

import io.holdfast.LockRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What became of a request for a lock. */
public sealed interface Attempt {

  /**
   * The request is the head of the queue.
   *
   * @param number the number of the grant
   * @param since when it became the head, by the store's clock
   * @param contention whether others wait behind it
   */
  record Granted(long number, Instant since, Contention contention) implements Attempt {}

  /** The request waits in the queue. */
  record Queued() implements Attempt {}

  /**
   * Somebody else holds the lock; the request is not in the queue.
   *
   * @param record who holds it
   * @param nextDue how long until the holder may be removed if nobody renews its session, as in
   *     {@link Standing.Waiting}
   */
  record Refused(LockRecord record, Optional<Duration> nextDue) implements Attempt {}

  /**
   * As many requests wait for the lock as may; the request, which wanted to wait, is not in the
   * queue.
   *
   * @param limit what the limit is, for people: {@code maxWaiters=500}
   */
  record QueueFull(String limit) implements Attempt {}

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
