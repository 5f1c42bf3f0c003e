package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.seam.ThreadedSeam;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Released;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes requests that are wanted no more out of the store, in the background. A release that failed
 * is repeated until it succeeds or the session is over, so that no lock stays held by a request
 * that its client has turned away from. A few are under way at a time, so that however many there
 * are, threads for other calls are free.
 */
final class Withdrawals {

  private static final int AT_A_TIME = ThreadedSeam.BACKGROUND_MAX / 3;

  private static final long PAUSE_MIN_NANOS = 20_000_000;
  private static final long PAUSE_MAX_NANOS = 2_000_000_000;

  private final Session session;
  private final Map<RequestKey, Departure> underWay = new LinkedHashMap<>();

  /** Those of them that wait until one of the calls is answered. */
  private final Deque<Release> line = new ArrayDeque<>();

  private int calls;

  Withdrawals(Session session) {
    this.session = session;
  }

  @GuardedBy("turn.lock")
  void withdraw(Departure departure, Turn turn) {
    if (underWay.putIfAbsent(departure.key(), departure) == null) {
      attempt(new Release(departure, PAUSE_MIN_NANOS), turn);
    }
  }

  @GuardedBy("turn.lock")
  List<Departure> underWay(Turn turn) {
    return List.copyOf(underWay.values());
  }

  @GuardedBy("turn.lock")
  private void attempt(Release release, Turn turn) {
    line.add(release);
    next(turn);
  }

  @GuardedBy("turn.lock")
  private void next(Turn turn) {
    while (calls < AT_A_TIME && !line.isEmpty()) {
      Release next = line.remove();
      if (session.isOver()) {
        underWay.remove(next.departure.key());
      } else {
        calls++;
        turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, next);
      }
    }
  }

  private final class Release implements StoreCall<Released>, Turn.Step {
    private final Departure departure;
    private final long pauseNanos;

    Release(Departure departure, long pauseNanos) {
      this.departure = departure;
      this.pauseNanos = pauseNanos;
    }

    @Override
    public Released send(CheckedBackend store, Deadline deadline) {
      return departure.send(store, deadline);
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Released released, Turn turn) {
      underWay.remove(departure.key());
      calls--;
      next(turn);
      session.closeIfRetired(turn);
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      calls--;
      next(turn);
      turn.after(pauseNanos, this);
    }

    /** The next attempt, after the pause. */
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      attempt(new Release(departure, Math.min(2 * pauseNanos, PAUSE_MAX_NANOS)), turn);
    }
  }
}
