package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.SessionId;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import org.slf4j.event.Level;

/**
 * Has the store delete what no client needs any more, one sweep after the other. A sweep is
 * bounded, so while there was something to delete the next one comes soon; else in an hour. The
 * first one comes within the first hour, at a time that differs from client to client, so that one
 * of them usually finds all the work and the others nothing.
 */
final class Sweeps {

  /**
   * One opening in so many, by the accident of its id, is followed by a sweep: clients that never
   * live long enough for one leave most behind.
   */
  private static final int OPENINGS_PER_SWEEP = 32;

  private static final Duration INTERVAL = Duration.ofHours(1);

  private static final Duration PAUSE_MIN = Duration.ofSeconds(1);

  /** Between two sweeps there are so many times the time that a sweep takes, for the others. */
  private static final int PAUSE_FACTOR = 10;

  private final Core core;
  private final Sessions sessions;

  /** Whether a sweep is due some time, or under way. */
  private boolean planned;

  Sweeps(Core core, Sessions sessions) {
    this.core = core;
    this.sessions = sessions;
  }

  /** A session was opened, or resumed. */
  @GuardedBy("turn.lock")
  void begin(SessionId session, Turn turn) {
    if (planned) {
      return;
    }
    int accident = session.hashCode();
    boolean now = accident % OPENINGS_PER_SWEEP == 0;
    sweepIn(now ? 0 : Math.floorMod((long) accident << Integer.SIZE, INTERVAL.toNanos()), turn);
  }

  @GuardedBy("turn.lock")
  private void sweepIn(long delayNanos, Turn turn) {
    planned = true;
    turn.after(delayNanos, new BeginSweep());
  }

  private final class BeginSweep implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      if (sessions.all(turn).isEmpty()) {
        planned = false;
      } else {
        turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, new Sweep(core.seam.nanos()));
      }
    }
  }

  private final class Sweep implements StoreCall<Integer> {
    private final long begunNanos;

    Sweep(long begunNanos) {
      this.begunNanos = begunNanos;
    }

    @Override
    public Integer send(CheckedBackend store, Deadline deadline) {
      return store.sweep(deadline);
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Integer deleted, Turn turn) {
      turn.log(Level.DEBUG, "swept " + deleted);
      long pause = PAUSE_FACTOR * (core.seam.nanos() - begunNanos);
      sweepIn(deleted == 0 ? INTERVAL.toNanos() : Math.max(PAUSE_MIN.toNanos(), pause), turn);
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      turn.log(Level.DEBUG, "sweep: " + Failures.describe(failure));
      sweepIn(INTERVAL.toNanos(), turn);
    }
  }
}
