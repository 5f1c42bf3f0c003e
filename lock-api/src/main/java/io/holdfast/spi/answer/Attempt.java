package io.holdfast.spi.answer;

import io.holdfast.record.LockRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The outcome of an attempt to get a lock. */
public sealed interface Attempt {

  /**
   * The request is the head of the queue.
   *
   * @param number the number of the grant
   * @param since when it became the head, by the store's clock
   * @param contention whether other requests wait behind it
   */
  record Granted(long number, Instant since, Contention contention) implements Attempt {}

  /** The request waits in the queue. */
  record Queued() implements Attempt {}

  /**
   * Another request holds the lock. The request is not in the queue.
   *
   * @param record the lock's record, with its holder. Its waiters may be left out: a refusal costs
   *     the same however many wait
   * @param nextDue the time until the holder may be removed if its session is not renewed, as in
   *     {@link Standing.Waiting}
   */
  record Refused(LockRecord record, Optional<Duration> nextDue) implements Attempt {}

  /**
   * The lock's queue is full. The request, which asked to wait, is not in the queue.
   *
   * @param limit the limit in a form for people: {@code maxWaiters=500}
   */
  record QueueFull(String limit) implements Attempt {}

  /**
   * The store grants the lock to no client yet. The request is not in the queue.
   *
   * @param remaining how long this lasts, judged by the store when it answered
   * @param why the reason, as a sentence for people
   */
  record Delayed(Duration remaining, String why) implements Attempt {}

  /** The request's own session is over. */
  record SessionOver() implements Attempt {}
}
