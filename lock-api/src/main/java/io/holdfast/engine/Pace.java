package io.holdfast.engine;

import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * When a waiting request asks again how it stands.
 *
 * <p>While the store pushes, once after joining and then with the heartbeats. While it does not,
 * the next in line asks briskly at first and then every 50 ms; the n-th in line every n × 50 ms, so
 * that it is awake by the time a line that moves fast has come to it; and beyond the 16th more
 * rarely still, every n × √(n/16) × 50 ms, until the heartbeats are more frequent. The sum of all
 * these rates converges, so however many wait, they ask the store at most about 110 times a second.
 */
final class Pace {

  private static final long BRISK_NANOS = 1_000_000;
  private static final long STEADY_NANOS = 50_000_000;
  private static final double FAST_LINE = 16;

  private long lookAtNanos;
  private long delayNanos = BRISK_NANOS;
  private int ahead = Integer.MAX_VALUE;
  private boolean byHeartbeatOnly;
  private boolean wanted;

  Pace(long nowNanos) {
    this.lookAtNanos = nowNanos;
  }

  /** When it wants to be looked at; empty if the heartbeats' looks are enough. */
  OptionalLong dueAtNanos() {
    return byHeartbeatOnly ? OptionalLong.empty() : OptionalLong.of(lookAtNanos);
  }

  /** Something may have changed, which a look that is under way does not show. */
  void lookNow(long nowNanos) {
    wanted = true;
    lookAt(nowNanos);
  }

  void lookSent() {
    wanted = false;
  }

  private void lookAt(long nanos) {
    byHeartbeatOnly = false;
    lookAtNanos = nanos;
  }

  /** Something is known to be due then. */
  void lookAtLatest(long nanos) {
    if (byHeartbeatOnly || lookAtNanos - nanos > 0) {
      lookAt(nanos);
    }
  }

  void standsBehind(int requests, Wakeup wakeup, Optional<Duration> nextDue, long nowNanos) {
    if (wanted) {
      lookAt(nowNanos);
    } else if (wakeup == Wakeup.PUSH) {
      // What falls due by time is hinted by nobody: the store may not even know yet.
      nextDue.ifPresentOrElse(
          due -> lookAt(nowNanos + Math.max(due.toNanos(), STEADY_NANOS)),
          () -> byHeartbeatOnly = true);
    } else if (requests > 1) {
      double rarity = Math.sqrt(Math.max(1.0, requests / FAST_LINE));
      lookAt(nowNanos + (long) (STEADY_NANOS * requests * rarity));
    } else {
      delayNanos = ahead > 1 ? BRISK_NANOS : Math.min(2 * delayNanos, STEADY_NANOS);
      lookAt(nowNanos + delayNanos);
    }
    ahead = requests;
  }

  void lookFailed(long nowNanos) {
    delayNanos = Math.min(2 * delayNanos, 20 * STEADY_NANOS);
    lookAt(nowNanos + Math.max(delayNanos, STEADY_NANOS));
  }
}
