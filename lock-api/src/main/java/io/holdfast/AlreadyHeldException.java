package io.holdfast;

/**
 * The thread holds the lock already and has asked for it again: it would wait for itself. {@link
 * Grant} says to which thread a grant belongs.
 */
@SuppressWarnings("serial")
public final class AlreadyHeldException extends HoldfastException {

  /** Makes the exception with a message that says what happened and what to do. */
  public AlreadyHeldException(String message) {
    super(message, null);
  }

  /** Makes the exception with a message and the exception that led to it. */
  public AlreadyHeldException(String message, Throwable cause) {
    super(message, cause);
  }
}
