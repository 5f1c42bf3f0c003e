package io.holdfast.engine.session;

import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Released;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How a request leaves the store: at once, or so that the lock stays taken for what is left of its
 * least time when the call is sent. A call that is repeated leaves less.
 *
 * @param core the client's core
 * @param key the request
 * @param takenUntilNanos until when the lock is to stay taken, by the monotonic clock; empty for
 *     not at all
 * @param hasLockDelay whether the store keeps the lock for a while if it finds the request there
 *     after the end of its session
 */
public record Departure(
    Core core, RequestKey key, OptionalLong takenUntilNanos, boolean hasLockDelay) {

  /** The departure of a request that leaves nothing behind. */
  public static Departure atOnce(Core core, RequestKey key, boolean hasLockDelay) {
    return new Departure(core, key, OptionalLong.empty(), hasLockDelay);
  }

  /** Whether it has to come before the end of the session: after it, it comes to nothing. */
  boolean isBeforeEndOfSession() {
    return hasLockDelay || takenUntilNanos.isPresent();
  }

  /** Whether the lock is to stay taken for a time that is not over yet. */
  boolean leavesItTaken() {
    return takenUntilNanos.isPresent() && takenUntilNanos.getAsLong() - core.seam.nanos() > 0;
  }

  /** Sends it. A stay is counted in whole milliseconds, rounded up. */
  public Released send(CheckedBackend store, Deadline deadline) {
    long leftNanos =
        takenUntilNanos.isPresent() ? takenUntilNanos.getAsLong() - core.seam.nanos() : 0;
    return leftNanos > 0
        ? store.releaseAfter(key, Duration.ofMillis(leftNanos / 1_000_000 + 1), deadline)
        : store.release(key.name(), key.request(), deadline);
  }
}
