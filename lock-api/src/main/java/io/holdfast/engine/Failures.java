package io.holdfast.engine;

import io.holdfast.BackendUnreachableException;
import io.holdfast.BackendUnusableException;
import io.holdfast.HoldfastException;
import io.holdfast.spi.BackendFailure;

/** What the exceptions of adapters mean to the engine and to users. */
final class Failures {

  private Failures() {}

  /** Whether repeating the call may succeed. */
  static boolean mayPass(RuntimeException failure) {
    return failure instanceof BackendFailure;
  }

  /** Whether a copy of the call may have been done, or may still be done. */
  static boolean mayHaveHadEffect(RuntimeException failure) {
    if (failure instanceof BackendFailure known) {
      return known.effect() == BackendFailure.Effect.UNKNOWN;
    }
    return !(failure instanceof HoldfastException);
  }

  /** Returns what the user gets to see. */
  static HoldfastException toUser(String what, String backend, RuntimeException failure) {
    if (failure instanceof HoldfastException already) {
      return already;
    }
    String message = "%s at %s: %s".formatted(what, backend, describe(failure));
    return mayPass(failure)
        ? new BackendUnreachableException(message, failure)
        : new BackendUnusableException(message + " (unexpected)", failure);
  }

  static String describe(RuntimeException failure) {
    String message = failure.getMessage();
    return message == null || message.isEmpty() ? failure.getClass().getName() : message;
  }
}
