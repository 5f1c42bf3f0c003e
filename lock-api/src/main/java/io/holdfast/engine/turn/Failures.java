package io.holdfast.engine.turn;

import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.HoldfastException;
import io.holdfast.spi.BackendFailure;
import java.util.Optional;

/** The meaning of the adapters' exceptions to the engine and to users. */
public final class Failures {

  private Failures() {}

  /** Whether repeating the call may succeed. */
  public static boolean isRetryable(RuntimeException failure) {
    return failure instanceof BackendFailure && unusable(failure).isEmpty();
  }

  /**
   * Whether repeating the call is certainly useless. An adapter's exception by mistake says nothing
   * of the next call, so it is neither this nor {@link #isRetryable}.
   */
  public static boolean isFinal(RuntimeException failure) {
    return failure instanceof HoldfastException
        || failure instanceof AdapterMistakeException
        || unusable(failure).isPresent();
  }

  /**
   * The failure that says that the store cannot be used as it is, also if it was found out halfway.
   */
  private static Optional<BackendUnusableException> unusable(RuntimeException failure) {
    return failure.getCause() instanceof BackendUnusableException cause
        ? Optional.of(cause)
        : Optional.empty();
  }

  /** Whether a copy of the call may have been done, or may still be done. */
  public static boolean isAmbiguous(RuntimeException failure) {
    if (failure instanceof BackendFailure known) {
      return known.effect() == BackendFailure.Effect.UNKNOWN;
    }
    return !(failure instanceof HoldfastException);
  }

  /** Returns what the user gets to see. */
  public static HoldfastException toUser(String what, String backend, RuntimeException failure) {
    if (failure instanceof HoldfastException already) {
      return already;
    }
    Optional<BackendUnusableException> unusable = unusable(failure);
    if (unusable.isPresent()) {
      return unusable.get();
    }
    String message = "%s at %s: %s".formatted(what, backend, describe(failure));
    return isRetryable(failure)
        ? new BackendUnreachableException(message, failure)
        : new BackendUnusableException(message + " (unexpected)", failure);
  }

  /**
   * Returns an exception of the caller's own: one that is thrown in many threads would tell none
   * where it asked, and gather what each of them adds to it.
   */
  public static HoldfastException forCaller(HoldfastException told) {
    String message = String.valueOf(told.getMessage());
    if (told instanceof ClientClosedException) {
      return new ClientClosedException(message, told);
    } else if (told instanceof BackendUnreachableException) {
      return new BackendUnreachableException(message, told);
    } else if (told instanceof BackendUnusableException) {
      return new BackendUnusableException(message, told);
    } else if (told instanceof BadRequestException) {
      return new BadRequestException(message, told);
    }
    return told;
  }

  /** Returns what a caller of a closed client is told. */
  public static ClientClosedException closed(String backend) {
    return new ClientClosedException(
        "The client of " + backend + " is closed. Nothing is held by it any more.");
  }

  /** Returns the exception for callers that ask for a lock while the JVM exits. */
  public static ClientClosedException exiting(String backend) {
    return new ClientClosedException(
        "The JVM exits, so the client of %s grants no further locks. What it holds stays held until its lease is over."
            .formatted(backend));
  }

  /** Returns its message, or its type where it has none. */
  public static String describe(RuntimeException failure) {
    String message = failure.getMessage();
    return message == null || message.isEmpty() ? failure.getClass().getName() : message;
  }
}
