package io.holdfast.spi;

import io.holdfast.BackendUnusableException;
import org.jspecify.annotations.Nullable;

/** A call to the store failed in a way that may pass: the engine repeats it or gives it up. */
@SuppressWarnings("serial")
public final class BackendFailure extends RuntimeException {

  private final Effect effect;

  /** What a failed call may have changed. */
  public enum Effect {
    /** Nothing, certainly: it never reached the store, or the store refused to do it. */
    NONE,
    /** Unknown: it may have been done, or may still be done later. When in doubt, this. */
    UNKNOWN
  }

  /** Makes the exception; the message says what happened, at which store. */
  public BackendFailure(Effect effect, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.effect = effect;
  }

  /**
   * Returns what a verb of several steps throws when a step fails after another one was done: then
   * the verb as a whole has had an effect, whatever the failed step says of itself. One that is
   * caused by a {@link BackendUnusableException} is not repeated, and the user sees that one.
   *
   * @param failure of the step; returned as it is if it says nothing of an effect
   */
  public static RuntimeException halfway(RuntimeException failure) {
    boolean saysNone =
        failure instanceof BackendUnusableException
            || (failure instanceof BackendFailure known && known.effect == Effect.NONE);
    return saysNone
        ? new BackendFailure(Effect.UNKNOWN, String.valueOf(failure.getMessage()), failure)
        : failure;
  }

  /** Returns what the call may have changed. */
  public Effect effect() {
    return effect;
  }
}
