package io.holdfast.tck.faults;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A call that was given up and reaches the store later, when the test {@link #deliver}s it. Takes
 * one call; those after it go through.
 */
public final class LateCopy implements Fault {

  private static final Duration DELIVERY_MAX = Duration.ofSeconds(20);

  private final AtomicReference<@Nullable Invocation> kept = new AtomicReference<>();

  /** Makes a fault that waits for its call. */
  public LateCopy() {}

  @Override
  public Object meet(Invocation call) {
    if (!kept.compareAndSet(null, call)) {
      return call.proceed();
    }
    throw new BackendFailure(Effect.UNKNOWN, "Injected: given up, but a copy is on its way.", null);
  }

  /** Returns whether a call was kept. */
  public boolean isKept() {
    return kept.get() != null;
  }

  /** Lets the call reach the store now, and returns the answer, for which no caller waits. */
  public Object deliver() {
    Invocation call = kept.get();
    if (call == null) {
      throw new IllegalStateException("No call was kept.");
    }
    return call.proceed(Deadline.in(DELIVERY_MAX));
  }
}
