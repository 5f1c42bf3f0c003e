package io.holdfast.engine;

import io.holdfast.SessionId;
import io.holdfast.engine.Seam.Lane;
import java.time.Duration;
import org.slf4j.event.Level;

/**
 * Has the store delete what nobody needs any more, one sweep after the other. A sweep is bounded,
 * so while there was something to delete the next one comes soon; else in an hour. The first one
 * comes within the first hour, at a time that differs from client to client, so that one of them
 * usually finds all the work and the others nothing.
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
  void begin(SessionId session) {
    if (planned) {
      return;
    }
    int accident = session.hashCode();
    boolean now = accident % OPENINGS_PER_SWEEP == 0;
    sweepIn(now ? 0 : Math.floorMod((long) accident << Integer.SIZE, INTERVAL.toNanos()));
  }

  private void sweepIn(long delayNanos) {
    planned = true;
    core.after(delayNanos, this::sweep);
  }

  private void sweep() {
    if (sessions.all().isEmpty()) {
      planned = false;
      return;
    }
    long begun = core.seam.nanos();
    core.call(
        Lane.BACKGROUND,
        Core.CALL_TIMEOUT,
        core.backend::sweep,
        gone -> {
          core.log(Level.DEBUG, "swept " + gone);
          long pause = PAUSE_FACTOR * (core.seam.nanos() - begun);
          sweepIn(gone == 0 ? INTERVAL.toNanos() : Math.max(PAUSE_MIN.toNanos(), pause));
        },
        failure -> {
          core.log(Level.DEBUG, "sweep: " + Failures.describe(failure));
          sweepIn(INTERVAL.toNanos());
        });
  }
}
