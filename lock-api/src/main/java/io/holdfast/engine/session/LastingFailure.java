package io.holdfast.engine.session;

import io.holdfast.engine.turn.AdapterMistakeException;
import io.holdfast.engine.turn.Failures;
import java.util.OptionalLong;

/**
 * A call that is repeated while its request waits, and fails although repeating it seems useless:
 * the adapter cannot read the queue, or says that the store cannot be used as it is. That may pass,
 * as with a fail-over. If it lasts, the caller is told, who would wait for ever.
 */
public final class LastingFailure {

  private static final long LASTING_NANOS = 60_000_000_000L;

  private OptionalLong sinceNanos = OptionalLong.empty();

  /** The call has been answered, or is not needed any more. */
  public void passed() {
    sinceNanos = OptionalLong.empty();
  }

  /** The call has failed. Returns whether to tell its caller; a mistake is one every time. */
  public boolean lasts(RuntimeException failure, long nowNanos) {
    if (Failures.isRetryable(failure)) {
      passed(); // The store is about to be another one, maybe.
      return false;
    }
    if (sinceNanos.isEmpty()) {
      sinceNanos = OptionalLong.of(nowNanos);
    }
    return failure instanceof AdapterMistakeException
        || nowNanos - sinceNanos.getAsLong() >= LASTING_NANOS;
  }
}
