package io.holdfast.engine.hold;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.Clocks;
import io.holdfast.engine.seam.Seam;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.util.Optional;

/**
 * Until when one grant may be held, regardless of its lease: its longest time, which its holder may
 * move, and the end of the notice with which it was revoked.
 */
final class HoldingTime {

  // Most grants have neither.
  private volatile TimeLimit longest = TimeLimit.NONE;
  private volatile TimeLimit notice = TimeLimit.NONE;

  /** How much time is left; zero or less if it is over. Needs no turn. */
  long leftNanos() {
    return Math.min(longest.leftNanos(), notice.leftNanos());
  }

  /** Why the grant is lost by now, if its time is over. */
  Optional<LossReason> reasonIfOver() {
    if (notice.leftNanos() <= 0) {
      return Optional.of(LossReason.REVOKED);
    }
    return longest.leftNanos() <= 0 ? Optional.of(LossReason.AT_MOST_REACHED) : Optional.empty();
  }

  boolean hasLongest() {
    return longest != TimeLimit.NONE;
  }

  /**
   * It may be held for so long from now on.
   *
   * @param whenOver the step that is done in a turn when that time is over
   */
  @GuardedBy("turn.lock")
  void lastsAtMost(Duration atMost, Seam seam, Turn.Step whenOver, Turn turn) {
    longest.stop();
    longest = TimeLimit.of(seam, atMost, turn, whenOver);
  }

  /**
   * Each heartbeat tells it again. The earliest end counts, also if the store's clock jumps.
   * Returns whether this is the first that is heard of it.
   *
   * @param whenOver the step that is done in a turn when that time is over
   */
  @GuardedBy("turn.lock")
  boolean isRevokedIn(long leftNanos, Clocks clocks, Turn.Step whenOver, Turn turn) {
    boolean isFirst = notice == TimeLimit.NONE;
    if (leftNanos < notice.leftNanos()) {
      notice.stop();
      notice = TimeLimit.alsoAsleep(clocks, leftNanos, turn, whenOver);
    }
    return isFirst;
  }

  /** The grant is over. */
  void stop() {
    longest.stop();
    notice.stop();
  }
}
