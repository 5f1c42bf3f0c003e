package io.holdfast.spi;

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

  /** Returns what the call may have changed. */
  public Effect effect() {
    return effect;
  }
}
