package io.holdfast.spi;

import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.HoldfastException;
import org.jspecify.annotations.Nullable;

/**
 * A call to the store failed for a reason that may be temporary. The engine repeats the call or
 * gives it up.
 */
@SuppressWarnings("serial")
public final class BackendFailure extends RuntimeException {

  private final Effect effect;

  /** The changes that a failed call may have made. */
  public enum Effect {
    /** Certainly nothing: the call never reached the store, or the store refused it. */
    NONE,
    /**
     * Unknown: the store may have executed the call, or may still execute it later. Use this when
     * in doubt.
     */
    UNKNOWN
  }

  /** Makes the exception. The message says what happened and at which store. */
  public BackendFailure(Effect effect, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.effect = effect;
  }

  /**
   * Returns the exception that a verb of several steps throws when one step fails after an earlier
   * step succeeded. The verb as a whole then has had an effect, even if the failed step had none.
   * If the cause is a {@link BackendUnusableException}, the engine does not repeat the verb, and
   * the user sees that exception.
   *
   * @param failure the failure of the step; returned unchanged unless it states that it had no
   *     effect
   */
  public static RuntimeException halfway(RuntimeException failure) {
    boolean saysNone =
        failure instanceof BackendUnusableException
            || (failure instanceof BackendFailure known && known.effect == Effect.NONE);
    return saysNone
        ? new BackendFailure(Effect.UNKNOWN, String.valueOf(failure.getMessage()), failure)
        : failure;
  }

  /**
   * Returns the exception that an application gets where no engine stands between it and the store:
   * a {@link BackendUnreachableException}, or a {@link BackendUnusableException} if the cause is
   * one.
   *
   * @param what the beginning of the message
   */
  public HoldfastException toApplication(String what) {
    String message = what + ": " + getMessage();
    return getCause() instanceof BackendUnusableException
        ? new BackendUnusableException(message, this)
        : new BackendUnreachableException(message, this);
  }

  /** Returns what the call may have changed. */
  public Effect effect() {
    return effect;
  }
}
