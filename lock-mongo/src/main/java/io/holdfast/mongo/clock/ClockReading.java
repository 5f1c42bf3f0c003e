package io.holdfast.mongo.clock;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A reading of the server's clock, with the values needed to compare recorded times with it.
 *
 * @param incarnation the incarnation of the primary whose clock it is; empty if that is not certain
 * @param maxClockStep how far the clock may have stepped forward within a TTL
 * @param skew by how much it may differ from the clock by which a time was recorded
 */
public record ClockReading(
    Instant now, Optional<String> incarnation, Duration maxClockStep, Duration skew) {

  /**
   * Times are cut off to milliseconds, so up to one millisecond less may have passed than it seems.
   */
  private static final Duration RESOLUTION = Duration.ofMillis(1);

  /** Whether a time has passed. */
  public enum Verdict {
    /** It has not passed yet. */
    RUNNING,
    /** It has passed. */
    PASSED,
    /** Unknown: it began by the clock of another incarnation, or further ahead than the skew. */
    DOUBTFUL
  }

  /** Returns how long a session lives after a renewal. */
  public Duration lease(Duration ttl) {
    return ttl.plus(maxClockStep);
  }

  /**
   * Tells whether a time has passed.
   *
   * @param from when it began
   * @param whose the incarnation of the primary whose clock told when it began
   * @param lasts how long it lasts
   */
  public Verdict judge(Instant from, String whose, Duration lasts) {
    if (incarnation.filter(whose::equals).isEmpty() || from.isAfter(now.plus(skew))) {
      return Verdict.DOUBTFUL;
    }
    return remaining(from, lasts).isZero() ? Verdict.PASSED : Verdict.RUNNING;
  }

  /** Returns how much is left of a time; zero only if it has certainly passed. */
  public Duration remaining(Instant from, Duration lasts) {
    Duration left = Duration.between(now, from.plus(lasts).plus(skew).plus(RESOLUTION));
    return left.isNegative() ? Duration.ZERO : left;
  }
}
