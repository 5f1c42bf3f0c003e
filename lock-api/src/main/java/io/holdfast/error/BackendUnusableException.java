package io.holdfast.error;

/**
 * The store can be reached but not used in its present state: tables of another version, a missing
 * privilege, a damaged file, a full disk. Another attempt fails too until an operator has repaired
 * the store.
 */
@SuppressWarnings("serial")
public final class BackendUnusableException extends HoldfastException {

  /** Makes the exception with a message that says what happened and what to do. */
  public BackendUnusableException(String message) {
    super(message, null);
  }

  /** Makes the exception with a message and the exception that led to it. */
  public BackendUnusableException(String message, Throwable cause) {
    super(message, cause);
  }
}
