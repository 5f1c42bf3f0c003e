package io.holdfast.error;

/**
 * The request is invalid or contradicts a setting. Nothing was changed, neither in the client nor
 * in the store.
 */
@SuppressWarnings("serial")
public final class BadRequestException extends HoldfastException {

  /** Makes the exception with a message that says what happened and what to do. */
  public BadRequestException(String message) {
    super(message, null);
  }

  /** Makes the exception with a message and the exception that led to it. */
  public BadRequestException(String message, Throwable cause) {
    super(message, cause);
  }
}
