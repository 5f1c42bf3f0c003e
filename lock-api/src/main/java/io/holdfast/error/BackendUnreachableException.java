package io.holdfast.error;

/**
 * The store did not answer, or did not answer in time. Nothing is held. A later attempt may
 * succeed.
 */
@SuppressWarnings("serial")
public final class BackendUnreachableException extends HoldfastException {

  /** Makes the exception with a message that says what happened and what to do. */
  public BackendUnreachableException(String message) {
    super(message, null);
  }

  /** Makes the exception with a message and the exception that led to it. */
  public BackendUnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
