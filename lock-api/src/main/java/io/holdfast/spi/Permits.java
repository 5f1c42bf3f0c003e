package io.holdfast.spi;

import io.holdfast.spi.BackendFailure.Effect;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Keeps calls to the number of connections that there are for them. Whoever comes when all are in
 * use waits until its deadline at most, in order of arrival. Thread-safe.
 */
public final class Permits {

  private final String where;
  private final Semaphore free;

  /**
   * Makes permits, all of which are free.
   *
   * @param where how the store is called in messages
   */
  public Permits(int most, String where) {
    this.where = where;
    this.free = new Semaphore(most, true);
  }

  /**
   * Takes one.
   *
   * @throws BackendFailure without effect, if none is free until the deadline, or the thread is
   *     interrupted while it waits
   */
  public void acquire(Deadline deadline) {
    // Without waiting first: who was interrupted must still be able to release.
    if (free.tryAcquire()) {
      return;
    }
    try {
      if (!free.tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
        throw new BackendFailure(
            Effect.NONE,
            "All connections to %s were busy until the time for the call was over."
                .formatted(where),
            null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendFailure(
          Effect.NONE, "Interrupted while waiting for a connection to %s.".formatted(where), e);
    }
  }

  /** Gives one back. */
  public void release() {
    free.release();
  }

  /** Returns whether one is free. */
  public boolean areLeft() {
    return free.availablePermits() > 0;
  }
}
