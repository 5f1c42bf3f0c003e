package io.holdfast.cli.run;

import java.time.Duration;

/**
 * The pauses between polls of a state that sends no event: short at first, then longer, bounded.
 */
final class Backoff {

  private static final long FIRST_MILLIS = 2;
  private static final long LONGEST_MILLIS = 250;

  private long nextMillis = FIRST_MILLIS;

  /** Returns the next pause, no longer than the given one. */
  Duration next(Duration longest) {
    long millis = nextMillis;
    nextMillis = Math.min(LONGEST_MILLIS, 2 * nextMillis);
    return Duration.ofMillis(Math.min(millis, longest.toMillis()));
  }
}
