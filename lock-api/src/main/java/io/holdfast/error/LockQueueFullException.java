package io.holdfast.error;

import io.holdfast.ClientBuilder;

/**
 * The lock's queue is full, so the request was refused instead of waiting. Nothing is held, and the
 * request is not in the queue. The message names the limit: {@link ClientBuilder#maxWaiters}, or
 * the store's own limit.
 */
@SuppressWarnings("serial")
public final class LockQueueFullException extends HoldfastException {

  /** Makes the exception with a message that says what happened and what to do. */
  public LockQueueFullException(String message) {
    super(message, null);
  }
}
