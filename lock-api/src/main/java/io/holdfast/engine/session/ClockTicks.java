package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.Clocks;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import java.time.Duration;

/**
 * Compares the clocks of this process often ({@link Clocks#tick}) while a call is under way from
 * whose sending a lease will count: else a clock that is set back meanwhile would hide that the
 * machine slept after it. A session that lives has its heartbeat's ticks.
 */
public final class ClockTicks implements Turn.Step {

  private final Core core;
  private final long tickNanos;
  private volatile boolean ended;

  private ClockTicks(Core core, Duration ttl) {
    this.core = core;
    this.tickNanos = core.settings.tickNanos(ttl);
  }

  /** Begins, before the call is sent. */
  @GuardedBy("turn.lock")
  public static ClockTicks begin(Core core, Duration ttl, Turn turn) {
    ClockTicks ticks = new ClockTicks(core, ttl);
    ticks.run(turn);
    return ticks;
  }

  /** The call was answered, or has failed. */
  public void end() {
    ended = true;
  }

  @Override
  @GuardedBy("turn.lock")
  public void run(Turn turn) {
    if (!ended) {
      core.clocks.tick();
      turn.after(tickNanos, this);
    }
  }
}
