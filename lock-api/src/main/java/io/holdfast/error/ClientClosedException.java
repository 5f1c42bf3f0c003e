package io.holdfast.error;

/** The client was closed before the call or while it waited. Nothing is held. */
@SuppressWarnings("serial")
public final class ClientClosedException extends HoldfastException {

  /** Makes the exception with a message that says what happened and what to do. */
  public ClientClosedException(String message) {
    super(message, null);
  }

  /** Makes the exception with a message and the exception that led to it. */
  public ClientClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
