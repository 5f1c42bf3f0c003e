package io.holdfast.error;

/**
 * A request was refused at the resource: its fencing token is older than one that was let in
 * before, so the lock has passed on since. Stop what relies on the lock.
 */
@SuppressWarnings("serial")
public final class StaleTokenException extends HoldfastException {

  /** Makes the exception with a message that says what happened and what to do. */
  public StaleTokenException(String message) {
    super(message, null);
  }
}
