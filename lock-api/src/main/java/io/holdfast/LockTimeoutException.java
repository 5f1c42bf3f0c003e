package io.holdfast;

/**
 * The lock was not to be had within the time that the caller was willing to wait. Nothing is held.
 */
@SuppressWarnings("serial")
public final class LockTimeoutException extends HoldfastException {

  /** Makes the exception with a message that says what happened and what to do. */
  public LockTimeoutException(String message) {
    super(message, null);
  }

  /** Makes the exception with a message and the exception that led to it. */
  public LockTimeoutException(String message, Throwable cause) {
    super(message, cause);
  }
}
