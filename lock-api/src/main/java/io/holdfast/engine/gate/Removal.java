package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.record.Liveness;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Released;
import java.time.Duration;

/**
 * Takes one obstacle out of a request's way: the head of the queue is overtaken, a waiter that
 * stands before is released. A waiter whose session had to be ended first is left to the next look:
 * it may have held meanwhile, and a holder is overtaken.
 *
 * <p>The rule stands here and nowhere else in the engine: a session is over when it has been
 * <em>ended</em>, not when its time has passed. A request whose session has lapsed is an obstacle
 * only once the store has ended that session by compare-and-set; until then a renewal saves it.
 */
abstract class Removal {

  /** How it ended. */
  sealed interface Outcome {}

  /** The head was overtaken, or was not where it had been seen: the attempt tells. */
  record Overtook(Attempt attempt) implements Outcome {}

  /** The waiter has left the queue, or its session has ended. */
  record Removed() implements Outcome {}

  /** The session of the obstacle was renewed in time: it counts. */
  record Lives() implements Outcome {}

  /** The request for whose sake this was begun has left meanwhile; nothing was overtaken. */
  record NotWanted() implements Outcome {}

  /** The store could not do it. */
  record Failed(RuntimeException failure) implements Outcome {}

  private final Runner runner;
  private final Duration timeout;
  private final Request request;
  private final Obstacle obstacle;

  Removal(Runner runner, Duration timeout, Request request, Obstacle obstacle) {
    this.runner = runner;
    this.timeout = timeout;
    this.request = request;
    this.obstacle = obstacle;
  }

  /** Whether the request still stands behind the obstacle. */
  @GuardedBy("turn.lock")
  abstract boolean isWanted(Turn turn);

  /** An overtake for the request is about to be on its way to the store. */
  @GuardedBy("turn.lock")
  void overtakeSent(Turn turn) {}

  /** It has ended. */
  @GuardedBy("turn.lock")
  abstract void ended(Outcome outcome, Turn turn);

  @GuardedBy("turn.lock")
  final void begin(Turn turn) {
    if (obstacle.liveness() == Liveness.LAPSED) {
      turn.call(runner, timeout, new EndSession());
    } else {
      pass(turn);
    }
  }

  @GuardedBy("turn.lock")
  private void pass(Turn turn) {
    if (!isWanted(turn)) {
      ended(new NotWanted(), turn);
    } else if (obstacle.isHead()) {
      overtakeSent(turn);
      turn.call(runner, timeout, new Overtake());
    } else {
      turn.call(runner, timeout, new Release());
    }
  }

  /** Ends the session of the obstacle, if it has lapsed. */
  private final class EndSession implements StoreCall<Ended> {
    @Override
    public Ended send(CheckedBackend store, Deadline deadline) {
      return store.end(obstacle.request().session(), EndIf.LAPSED, deadline);
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Ended answer, Turn turn) {
      if (answer == Ended.OVER && obstacle.isHead()) {
        pass(turn);
      } else if (answer == Ended.OVER) {
        ended(new Removed(), turn);
      } else {
        ended(isWanted(turn) ? new Lives() : new NotWanted(), turn);
      }
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      ended(new Failed(failure), turn);
    }
  }

  /** Overtakes the head of the queue. */
  private final class Overtake implements StoreCall<Attempt> {
    @Override
    public Attempt send(CheckedBackend store, Deadline deadline) {
      return store.overtake(request, obstacle.head(), deadline);
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Attempt attempt, Turn turn) {
      ended(new Overtook(attempt), turn);
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      ended(new Failed(failure), turn);
    }
  }

  /** Releases a waiter that does not count. */
  private final class Release implements StoreCall<Released> {
    @Override
    public Released send(CheckedBackend store, Deadline deadline) {
      return store.release(obstacle.head().name(), obstacle.request(), deadline);
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Released released, Turn turn) {
      ended(new Removed(), turn);
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      ended(new Failed(failure), turn);
    }
  }
}
