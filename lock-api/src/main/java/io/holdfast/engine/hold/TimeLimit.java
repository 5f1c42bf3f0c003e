package io.holdfast.engine.hold;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.Seam;
import io.holdfast.engine.seam.Seam.Timer;
import io.holdfast.engine.turn.Turn;
import java.time.Duration;

/** Until when a grant may be held, by the monotonic clock. A timer that is late changes nothing. */
sealed interface TimeLimit permits TimeLimit.Unlimited, TimeLimit.Until {

  /** It may be held for as long as its lease lasts. */
  TimeLimit NONE = new Unlimited();

  /** How much time is left; zero or less if it is over. Needs no turn. */
  long leftNanos();

  /** The grant is over. */
  void stop();

  /** Begins now. */
  @GuardedBy("turn.lock")
  static TimeLimit of(Seam seam, Duration atMost, Turn turn, Turn.Step whenOver) {
    return new Until(seam, seam.nanos() + atMost.toNanos(), turn.after(atMost.toNanos(), whenOver));
  }

  record Unlimited() implements TimeLimit {
    @Override
    public long leftNanos() {
      return Long.MAX_VALUE;
    }

    @Override
    public void stop() {}
  }

  record Until(Seam seam, long endNanos, Timer timer) implements TimeLimit {
    @Override
    public long leftNanos() {
      return endNanos - seam.nanos();
    }

    @Override
    public void stop() {
      timer.cancel();
    }
  }
}
