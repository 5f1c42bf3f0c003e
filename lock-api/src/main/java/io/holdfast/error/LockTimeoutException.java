package io.holdfast.error;

/** The wait for the lock timed out. Nothing is held. */
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
