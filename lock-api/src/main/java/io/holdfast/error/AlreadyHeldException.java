package io.holdfast.error;

import io.holdfast.Grant;

/**
 * The calling thread already holds the lock and asked for it again, so it would wait for itself.
 * {@link Grant} defines which thread a grant belongs to.
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
