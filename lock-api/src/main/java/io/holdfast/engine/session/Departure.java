package io.holdfast.engine.session;

import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Released;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * How a request leaves the store: at once, or so that the lock stays taken for the rest of its
 * least time, counted when the call is sent. A call that is repeated leaves less.
 *
 * @param core the client's core
 * @param key the request
 * @param takenUntilNanos until when the lock is to stay taken, by the monotonic clock; empty for
 *     not at all
 * @param delayedUntilNanos until when the store would have kept the lock if it had found the
 *     request there after the end of its session, and this had ended when the request was turned
 *     away from; empty if the request has no lock-delay
 */
public record Departure(
    Core core, RequestKey key, OptionalLong takenUntilNanos, OptionalLong delayedUntilNanos) {

  /** The departure of a request with such a lock-delay, or zero. */
  public static Departure of(
      Core core, RequestKey key, OptionalLong takenUntilNanos, Duration lockDelay) {
    OptionalLong delayedUntilNanos =
        lockDelay.isZero()
            ? OptionalLong.empty()
            : OptionalLong.of(core.seam.nanos() + lockDelay.toNanos());
    return new Departure(core, key, takenUntilNanos, delayedUntilNanos);
  }

  /** The departure of a request that leaves nothing behind. */
  public static Departure atOnce(Core core, RequestKey key, Duration lockDelay) {
    return of(core, key, OptionalLong.empty(), lockDelay);
  }

  /** Whether it has to come before the end of the session: after it, it comes to nothing. */
  boolean isBeforeEndOfSession() {
    return delayedUntilNanos.isPresent() || takenUntilNanos.isPresent();
  }

  /**
   * Whether the end of the session would change for how long the lock is taken: it would end a
   * least time, or begin a lock-delay. A release that never succeeds keeps the session for no
   * longer than these would have lasted.
   */
  boolean keepsTheSession() {
    return isToCome(takenUntilNanos) || isToCome(delayedUntilNanos);
  }

  private boolean isToCome(OptionalLong nanos) {
    return nanos.isPresent() && nanos.getAsLong() - core.seam.nanos() > 0;
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
