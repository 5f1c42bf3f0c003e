package io.holdfast.engine.session;

import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * When a waiting request asks again how it stands.
 *
 * <p>While the store pushes, a moment after joining and then with the heartbeats. While it does
 * not, at once, and then the next in line asks briskly at first and then every 50 ms; the n-th in
 * line every n × 50 ms, so that it is awake by the time a line that moves fast has come to it; and
 * beyond the 16th more rarely still, every n × √(n/16) × 50 ms, until the heartbeats are more
 * frequent. The sum of all these rates converges, so however many wait, they ask the store at most
 * about 110 times a second.
 *
 * <p>One that has stood at its place for longer than 2.5 s takes a fiftieth of that time instead of
 * the 50 ms, up to 250 ms: it then learns of a hand-over late by 2 % of what it has waited, and a
 * line that stands still asks the store a fifth as often.
 */
public final class PollSchedule {

  private static final long BRISK_NANOS = 1_000_000;
  private static final long STEADY_NANOS = 50_000_000;
  private static final long SLOWEST_NANOS = 250_000_000;
  private static final int PART_OF_WAIT = 50;
  private static final double FAST_LINE = 16;

  /**
   * How long one that has joined may wait to be told, before it looks for itself.
   *
   * <p>If hints flow since before its grab was sent, a release either comes before the grab, which
   * then is granted, or sees the request and hints. So where a lock changes hands quickly the look
   * after joining learns nothing, and would be one of the four calls of each hand-over. It is not
   * left out: a hint may be lost, and only a look tells of a session ahead that has lapsed already,
   * and when the others fall due. For these the heartbeat's look is soon enough (it is all that the
   * contract asks for), and a tenth of a second is sooner.
   */
  private static final long JOINED_NANOS = 100_000_000;

  private long lookAtNanos;
  private long delayNanos = BRISK_NANOS;
  private int ahead = Integer.MAX_VALUE;
  private long movedAtNanos;
  private boolean byHeartbeatOnly;
  private int hints;
  private final LastingFailure lookFailure = new LastingFailure();

  /**
   * The schedule of a request that has just joined.
   *
   * @param wakeup whether the store has told everything since the request was sent
   */
  public PollSchedule(Wakeup wakeup, long nowNanos) {
    this.lookAtNanos = wakeup == Wakeup.PUSH ? nowNanos + JOINED_NANOS : nowNanos;
  }

  /** When it wants to be looked at; empty if the heartbeats' looks are enough. */
  OptionalLong dueAtNanos() {
    return byHeartbeatOnly ? OptionalLong.empty() : OptionalLong.of(lookAtNanos);
  }

  /** Something may have changed, which a look that is under way does not show. */
  public void lookNow(long nowNanos) {
    hints++;
    lookAt(nowNanos);
  }

  /** How often something may have changed by now. */
  int hints() {
    return hints;
  }

  /**
   * Whether something may have changed since a look was sent, which need not be the last one.
   *
   * @param hintsBefore the {@link #hints} of that time
   */
  boolean mayHaveChangedSince(int hintsBefore) {
    return hints != hintsBefore;
  }

  private void lookAt(long nanos) {
    byHeartbeatOnly = false;
    lookAtNanos = nanos;
  }

  /** Something is known to be due then. */
  public void lookAtLatest(long nanos) {
    if (byHeartbeatOnly || lookAtNanos - nanos > 0) {
      lookAt(nanos);
    }
  }

  /** A look has shown it that was sent after so many hints. */
  void standsBehind(
      int requests, Wakeup wakeup, Optional<Duration> nextDue, int hintsBefore, long nowNanos) {
    lookFailure.passed();
    if (requests != ahead) {
      movedAtNanos = nowNanos;
    }
    if (mayHaveChangedSince(hintsBefore)) {
      lookAt(nowNanos);
    } else if (wakeup == Wakeup.PUSH) {
      // No hint tells what falls due by time: the store may not know of it yet.
      nextDue.ifPresentOrElse(
          due -> lookAt(nowNanos + Math.max(due.toNanos(), STEADY_NANOS)),
          () -> byHeartbeatOnly = true);
    } else if (requests > 1) {
      double rarity = Math.sqrt(Math.max(1.0, requests / FAST_LINE));
      lookAt(nowNanos + (long) (paceNanos(nowNanos) * requests * rarity));
      nextDue.ifPresent(due -> lookAtLatest(nowNanos + Math.max(due.toNanos(), STEADY_NANOS)));
    } else {
      delayNanos = ahead > 1 ? BRISK_NANOS : Math.min(2 * delayNanos, paceNanos(nowNanos));
      lookAt(nowNanos + delayNanos);
    }
    ahead = requests;
  }

  private long paceNanos(long nowNanos) {
    long waitedNanos = nowNanos - movedAtNanos;
    return Math.min(SLOWEST_NANOS, Math.max(STEADY_NANOS, waitedNanos / PART_OF_WAIT));
  }

  /** Returns whether to give looking up. */
  boolean lookFailed(RuntimeException failure, long nowNanos) {
    delayNanos = Math.min(2 * delayNanos, 20 * STEADY_NANOS);
    lookAt(nowNanos + Math.max(delayNanos, STEADY_NANOS));
    return lookFailure.lasts(failure, nowNanos);
  }
}
