package io.holdfast.cli.elect;

import java.time.Duration;

/**
 * The pauses after a command that has ended: one second, then twice as long each time, half a
 * minute at most. After a command that ran for a minute they begin again.
 */
final class RestartPause {

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final Duration LONG_RUN = Duration.ofMinutes(1);

  private Duration next = FIRST;

  /** Returns the pause after a command that has run for so long. */
  Duration after(Duration run) {
    Duration pause = run.compareTo(LONG_RUN) < 0 ? next : FIRST;
    Duration twice = pause.multipliedBy(2);
    next = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    return pause;
  }
}
