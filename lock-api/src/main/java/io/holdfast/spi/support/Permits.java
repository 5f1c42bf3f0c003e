package io.holdfast.spi.support;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits the number of concurrent calls to the number of connections. If all permits are in use, a
 * call waits for one until its deadline at most, in order of arrival. Thread-safe.
 */
public final class Permits {

  private final String where;
  private final Semaphore free;

  /**
   * Makes permits that are all free.
   *
   * @param where the store's name in messages
   */
  public Permits(int limit, String where) {
    this.where = where;
    this.free = new Semaphore(limit, true);
  }

  /**
   * Takes a permit.
   *
   * @throws BackendFailure with {@link Effect#NONE}, if no permit becomes free until the deadline,
   *     or if the thread is interrupted while it waits
   */
  public void acquire(Deadline deadline) {
    // First without waiting, so that an interrupted thread can still release a lock.
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

  /** Returns a permit. */
  public void release() {
    free.release();
  }

  /** Returns whether a permit is free. */
  public boolean areLeft() {
    return free.availablePermits() > 0;
  }
}
