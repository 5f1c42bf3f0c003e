package io.holdfast.engine.hold;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.Clocks;
import io.holdfast.engine.seam.Lease.Stamp;
import io.holdfast.engine.seam.Seam;
import io.holdfast.engine.seam.Seam.Timer;
import io.holdfast.engine.turn.Turn;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Until when a grant may be held. A timer that is late changes nothing. */
sealed interface TimeLimit permits TimeLimit.Unlimited, TimeLimit.Until {

  /** It may be held for as long as its lease lasts. */
  TimeLimit NONE = new Unlimited();

  /** How much time is left; zero or less if it is over. Needs no turn. */
  long leftNanos();

  /** The grant is over. */
  void stop();

  /**
   * Begins now, and counts by the monotonic clock, which may stand still while a machine sleeps.
   */
  @GuardedBy("turn.lock")
  static TimeLimit of(Seam seam, Duration atMost, Turn turn, Turn.Step whenOver) {
    long endNanos = seam.nanos() + atMost.toNanos();
    return new Until(() -> endNanos - seam.nanos(), turn.after(atMost.toNanos(), whenOver));
  }

  /** Begins now, and goes on while the machine sleeps: then the store does not wait for it. */
  @GuardedBy("turn.lock")
  static TimeLimit alsoAsleep(Clocks clocks, long nanos, Turn turn, Turn.Step whenOver) {
    Stamp from = clocks.now();
    return new Until(() -> nanos - clocks.nanosSince(from), turn.after(nanos, whenOver));
  }

  record Unlimited() implements TimeLimit {
    @Override
    public long leftNanos() {
      return Long.MAX_VALUE;
    }

    @Override
    public void stop() {}
  }

  record Until(LongSupplier left, Timer timer) implements TimeLimit {
    @Override
    public long leftNanos() {
      return left.getAsLong();
    }

    @Override
    public void stop() {
      timer.cancel();
    }
  }
}
