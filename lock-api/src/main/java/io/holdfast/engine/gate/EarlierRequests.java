package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.Seam;
import io.holdfast.engine.turn.Turn;
import java.time.Duration;
import java.util.Optional;

/**
 * The requests of one gate that no thread wants any more and that are being taken out of the store.
 * One that came now would stand in the queue behind them, and where waits are short the queues
 * would fill with requests that no thread wants. So a thread waits here, which costs the store
 * nothing, until each of them was tried once: a release that hangs does not keep the lock from its
 * client.
 */
final class EarlierRequests {

  private final Seam seam;
  private final Turn.Step whenTried;
  private int leaving;
  private long sinceNanos;

  /**
   * There are none yet.
   *
   * @param whenTried done in a turn when one of them was tried
   */
  EarlierRequests(Seam seam, Turn.Step whenTried) {
    this.seam = seam;
    this.whenTried = whenTried;
  }

  /** Returns the step for when the request that leaves now was tried. */
  @GuardedBy("turn.lock")
  Turn.Step leaves(Turn turn) {
    if (leaving++ == 0) {
      sinceNanos = seam.nanos();
    }
    return new Tried();
  }

  private final class Tried implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      leaving--;
      whenTried.run(turn);
    }
  }

  @GuardedBy("turn.lock")
  boolean areLeaving(Turn turn) {
    return leaving > 0;
  }

  /** For how long some of them have been leaving. */
  @GuardedBy("turn.lock")
  Optional<Duration> unansweredFor(Turn turn) {
    return leaving > 0
        ? Optional.of(Duration.ofNanos(seam.nanos() - sinceNanos))
        : Optional.empty();
  }
}
