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
 * are, threads for other calls are free. Locks whose calls hang do not keep the others waiting: the
 * first attempt is soon given up, and of the places those that have failed before have half.
 */
final class Withdrawals {

  private static final int AT_A_TIME = ThreadedSeam.BACKGROUND_MAX / 3;

  /** How many of them have failed before. */
  private static final int REPEATED_AT_A_TIME = AT_A_TIME / 2;

  private static final long PAUSE_MIN_NANOS = 20_000_000;
  private static final long PAUSE_MAX_NANOS = 2_000_000_000;

  /** For those for whose end nothing waits. */
  static final Turn.Step NOTHING = turn -> {};

  private final Session session;
  private final Map<RequestKey, Departure> underWay = new LinkedHashMap<>();

  /** Those of them that wait until one of the calls is answered, and have not been sent yet. */
  private final Deque<Release> line = new ArrayDeque<>();

  /** Those that wait to be sent once more. */
  private final Deque<Release> repeated = new ArrayDeque<>();

  private int calls;
  private int repeatedCalls;

  Withdrawals(Session session) {
    this.session = session;
  }

  /**
   * Takes a request out of the store.
   *
   * @param tried done in a turn when it was tried once, or is tried no more
   */
  @GuardedBy("turn.lock")
  void withdraw(Departure departure, Turn.Step tried, Turn turn) {
    if (underWay.putIfAbsent(departure.key(), departure) == null) {
      line.add(new Release(departure, tried, PAUSE_MIN_NANOS, false));
      next(turn);
    } else {
      turn.after(0, tried); // In a turn of its own, as its gate is in the midst of something.
    }
  }

  @GuardedBy("turn.lock")
  List<Departure> underWay(Turn turn) {
    return List.copyOf(underWay.values());
  }

  @GuardedBy("turn.lock")
  private void next(Turn turn) {
    while (calls < AT_A_TIME) {
      boolean repeats = repeatedCalls < REPEATED_AT_A_TIME && !repeated.isEmpty();
      Release next = repeats ? repeated.poll() : line.poll();
      if (next == null) {
        return;
      } else if (session.isOver()) {
        underWay.remove(next.departure.key());
        turn.after(0, next.tried);
      } else {
        next.send(turn);
      }
    }
  }

  private final class Release implements StoreCall<Released>, Turn.Step {
    private final Departure departure;
    private final Turn.Step tried;
    private final long pauseNanos;
    private final boolean isRepeated;

    Release(Departure departure, Turn.Step tried, long pauseNanos, boolean isRepeated) {
      this.departure = departure;
      this.tried = tried;
      this.pauseNanos = pauseNanos;
      this.isRepeated = isRepeated;
    }

    @GuardedBy("turn.lock")
    void send(Turn turn) {
      calls++;
      repeatedCalls += isRepeated ? 1 : 0;
      turn.call(Runner.BACKGROUND, isRepeated ? Core.CALL_TIMEOUT : LastCalls.FIRST_TIMEOUT, this);
    }

    /** It leaves its place. */
    @GuardedBy("turn.lock")
    private void ends(Turn turn) {
      calls--;
      repeatedCalls -= isRepeated ? 1 : 0;
      next(turn);
    }

    @Override
    public Released send(CheckedBackend store, Deadline deadline) {
      return departure.send(store, deadline);
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Released released, Turn turn) {
      underWay.remove(departure.key());
      ends(turn);
      tried.run(turn);
      session.closeIfRetired(turn);
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      ends(turn);
      tried.run(turn);
      turn.after(pauseNanos, this);
    }

    /** The next attempt, after the pause. */
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      long longer = Math.min(2 * pauseNanos, PAUSE_MAX_NANOS);
      repeated.add(new Release(departure, NOTHING, longer, true));
      next(turn);
    }
  }
}
