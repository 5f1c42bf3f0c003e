package io.holdfast.error;

/**
 * The calling thread was interrupted while it waited. Nothing is held. The thread's interrupt flag
 * is set.
 */
@SuppressWarnings("serial")
public final class LockInterruptedException extends HoldfastException {

  /** Makes the exception with a message that says what happened and what to do. */
  public LockInterruptedException(String message) {
    super(message, null);
  }

  /** Makes the exception with a message and the exception that led to it. */
  public LockInterruptedException(String message, Throwable cause) {
    super(message, cause);
  }
}
