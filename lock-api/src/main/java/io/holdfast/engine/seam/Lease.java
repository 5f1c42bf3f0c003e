package io.holdfast.engine.seam;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long this process may believe in a session: from the instant at which the renewal in force
 * was sent, for the TTL that its answer granted less the rate margin. The store counts from when it
 * processed that renewal, so the holder always gives up first.
 *
 * @param sent when the renewal was sent
 * @param validNanos for how long it counts
 */
public record Lease(Stamp sent, long validNanos) {

  public static Lease of(Stamp sent, Duration ttl, double clockRateBound) {
    return new Lease(sent, (long) (ttl.toNanos() * (1 - clockRateBound)));
  }

  public Lease ended() {
    return new Lease(sent, 0);
  }

  /** Zero or less when it has run out. */
  public long remainingNanos(Clocks clocks) {
    return validNanos - clocks.nanosSince(sent);
  }

  /**
   * An instant of this process.
   *
   * @param nanos by the monotonic clock
   * @param wallMillis by the wall clock
   * @param countedNanos what {@link Clocks} had counted by then
   */
  public record Stamp(long nanos, long wallMillis, long countedNanos) {

    /** Written out, as in {@link io.holdfast.LockName#hashCode()}. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Stamp stamp
          && nanos == stamp.nanos
          && wallMillis == stamp.wallMillis
          && countedNanos == stamp.countedNanos;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(nanos);
    }

    public Stamp later(long passedNanos) {
      return new Stamp(nanos, wallMillis, countedNanos + passedNanos);
    }

    /**
     * The counted time is the greatest, unless the clocks have drifted apart in steps too small.
     */
    public long nanosUntil(Stamp later) {
      long counted = later.countedNanos - countedNanos;
      long wall = TimeUnit.MILLISECONDS.toNanos(later.wallMillis - wallMillis);
      return Math.max(counted, Math.max(later.nanos - nanos, wall));
    }
  }
}
