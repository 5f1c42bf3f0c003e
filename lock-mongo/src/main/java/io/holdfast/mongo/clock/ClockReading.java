package io.holdfast.mongo.clock;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A reading of the server's clock, with what is needed to compare recorded times with it.
 *
 * @param incarnation the incarnation of the primary whose clock it is; empty if that is not certain
 * @param tolerance how much longer than its TTL a lease lasts
 */
public record ClockReading(Instant now, Optional<String> incarnation, Duration tolerance) {

  /**
   * Times are cut off to milliseconds, so up to one millisecond less may have passed than it seems.
   */
  private static final Duration RESOLUTION = Duration.ofMillis(1);

  /** Whether a TTL has passed. */
  public enum Verdict {
    /** It has not passed yet. */
    RUNNING,
    /** It has passed. */
    PASSED,
    /** Unknown: it began by the clock of another incarnation, or in the future. */
    DOUBTFUL
  }

  /**
   * Tells whether a TTL has passed.
   *
   * @param then when it began
   * @param whose the incarnation of the primary whose clock told that time
   */
  public Verdict judge(Instant then, String whose, Duration ttl) {
    if (incarnation.filter(whose::equals).isEmpty() || then.isAfter(now)) {
      return Verdict.DOUBTFUL;
    }
    return remaining(then, ttl).isZero() ? Verdict.PASSED : Verdict.RUNNING;
  }

  /** Returns how much is left of a TTL; zero only if it has certainly passed. */
  public Duration remaining(Instant then, Duration ttl) {
    Duration left = Duration.between(now, then.plus(ttl).plus(tolerance).plus(RESOLUTION));
    return left.isNegative() ? Duration.ZERO : left;
  }
}
