package io.holdfast.memory;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.util.function.Function;

/** The way of one client's steps to the store. Thread-safe. */
final class MemoryConnection {

  private final MemoryStore store;
  private final Runnable beforeStep;
  private volatile boolean closed;

  MemoryConnection(MemoryStore store, Runnable beforeStep) {
    this.store = store;
    this.beforeStep = beforeStep;
  }

  /** Does the first step of a verb: what stops it here has certainly changed nothing. */
  <T> T first(Deadline deadline, Function<MemoryState, T> step) {
    if (closed) {
      throw failure(Effect.NONE, "This connection to %s was closed.");
    }
    if (deadline.hasPassed()) {
      throw failure(Effect.NONE, "The deadline had passed before %s was asked.");
    }
    return next(deadline, step);
  }

  /** Does a further step of a verb. */
  <T> T further(Deadline deadline, Function<MemoryState, T> step) {
    try {
      return next(deadline, step);
    } catch (RuntimeException e) {
      throw store.options().rules().failedHalfway(e);
    }
  }

  private <T> T next(Deadline deadline, Function<MemoryState, T> step) {
    beforeStep.run();
    if (store.options().rules().eachStepHeedsTheDeadline() && deadline.hasPassed()) {
      throw failure(Effect.UNKNOWN, "The deadline has passed while %s was at work.");
    }
    return store.step(deadline, step);
  }

  void close() {
    closed = true;
  }

  private BackendFailure failure(Effect effect, String message) {
    return new BackendFailure(effect, message.formatted(store.describe()), null);
  }
}
