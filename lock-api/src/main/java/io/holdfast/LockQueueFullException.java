package io.holdfast;

/**
 * As many requests wait for the lock as may, so this one was turned away instead of waiting.
 * Nothing is held, and nothing is left in the queue. The message names the limit: {@link
 * ClientBuilder#maxWaiters}, or the store's own.
 */
@SuppressWarnings("serial")
public final class LockQueueFullException extends HoldfastException {

  /** Makes the exception with a message that says what happened and what to do. */
  public LockQueueFullException(String message) {
    super(message, null);
  }
}
