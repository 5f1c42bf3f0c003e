package io.holdfast.engine;

import io.holdfast.spi.Capabilities.Wakeup;

/**
 * When a waiting request asks again how it stands.
 *
 * <p>Where the store pushes, once after joining and then with the heartbeats. Where it does not,
 * the next in line asks briskly at first and then every 50 ms; the n-th in line every 50 ms ×
 * n<sup>3/2 </sup> until the heartbeats are more frequent. The sum of 1/n<sup>3/2</sup> converges,
 * so however many wait, all together ask the store at most about 2.6 times as often as the next in
 * line alone.
 */
final class Pace {

  private static final long BRISK_NANOS = 1_000_000;
  private static final long STEADY_NANOS = 50_000_000;

  private final Wakeup wakeup;
  private long lookAtNanos;
  private long delayNanos = BRISK_NANOS;
  private int ahead = Integer.MAX_VALUE;
  private boolean byHeartbeatOnly;

  Pace(Wakeup wakeup, long nowNanos) {
    this.wakeup = wakeup;
    this.lookAtNanos = nowNanos;
  }

  long nanosUntilDue(long nowNanos) {
    return byHeartbeatOnly ? Long.MAX_VALUE : Math.max(0, lookAtNanos - nowNanos);
  }

  void lookAt(long nanos) {
    byHeartbeatOnly = false;
    lookAtNanos = nanos;
  }

  void standsBehind(int requests, long nowNanos) {
    if (wakeup == Wakeup.PUSH) {
      byHeartbeatOnly = true;
    } else if (requests > 1) {
      lookAt(nowNanos + (long) (STEADY_NANOS * requests * Math.sqrt(requests)));
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
