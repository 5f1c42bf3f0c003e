package io.holdfast.cli.run;

import java.time.Duration;

/**
 * Decides when a command that may run for a limited time must stop: it is asked to when the time is
 * over, and killed {@link #KILL_AFTER} later. The lock is held until then, so the limit ends a
 * command and not a lock beside a command that runs on.
 *
 * <p>Reads no clock and signals no process, as {@link LeaseWatch}. Times are milliseconds since the
 * machine started.
 */
final class RunLimit {

  /** How long a command has from SIGTERM to SIGKILL. */
  static final Duration KILL_AFTER = Duration.ofSeconds(10);

  private final long endMillis;
  private final Demand.Rising demands = new Demand.Rising();

  /** Starts at a time. */
  RunLimit(long nowMillis, Duration atMost) {
    this.endMillis = nowMillis + atMost.toMillis();
  }

  /** Returns what the caller must do now, if it was not demanded before. */
  Demand look(long nowMillis) {
    return demands.to(demand(nowMillis));
  }

  /** Tells whether the command was asked to stop. */
  boolean wasReached() {
    return demands.isMade();
  }

  private Demand demand(long nowMillis) {
    if (nowMillis - endMillis >= KILL_AFTER.toMillis()) {
      return Demand.KILL;
    }
    return nowMillis >= endMillis ? Demand.STOP : Demand.NOTHING;
  }
}
