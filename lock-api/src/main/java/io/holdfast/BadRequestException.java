package io.holdfast;

/** The request makes no sense or contradicts a setting. Nothing was changed anywhere. */
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
