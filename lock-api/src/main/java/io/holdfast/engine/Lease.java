package io.holdfast.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long this process may believe in a session: from the instant at which the renewal in force
 * was sent, for the TTL that its answer granted less the rate margin. The store counts from when it
 * processed that renewal, so the holder always gives up first.
 *
 * @param sent when the renewal was sent
 * @param validNanos for how long it counts
 */
record Lease(Stamp sent, long validNanos) {

  static Lease of(Stamp sent, Duration ttl, double clockRateBound) {
    return new Lease(sent, (long) (ttl.toNanos() * (1 - clockRateBound)));
  }

  Lease ended() {
    return new Lease(sent, 0);
  }

  /** Zero or less when it has run out. */
  long remainingNanos(Seam seam) {
    return validNanos - sent.elapsedNanos(seam);
  }

  /**
   * An instant by both clocks of this machine.
   *
   * @param nanos by the monotonic clock
   * @param wallMillis by the wall clock
   */
  record Stamp(long nanos, long wallMillis) {

    static Stamp now(Seam seam) {
      return new Stamp(seam.nanos(), seam.wallMillis());
    }

    /** The monotonic clock may stand still while a machine sleeps, so the later clock counts. */
    long elapsedNanos(Seam seam) {
      return Math.max(
          seam.nanos() - nanos, TimeUnit.MILLISECONDS.toNanos(seam.wallMillis() - wallMillis));
    }
  }
}
