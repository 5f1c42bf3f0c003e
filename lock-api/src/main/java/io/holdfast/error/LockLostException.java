package io.holdfast.error;

/** A grant is not, or not certainly, in force any more. Work that relies on it must stop. */
@SuppressWarnings("serial")
public final class LockLostException extends HoldfastException {

  private final LossReason reason;

  /** Makes the exception with a message and the reason of the loss. */
  public LockLostException(String message, LossReason reason) {
    super(message, null);
    this.reason = reason;
  }

  /** Returns why the grant was lost. */
  public LossReason reason() {
    return reason;
  }
}
