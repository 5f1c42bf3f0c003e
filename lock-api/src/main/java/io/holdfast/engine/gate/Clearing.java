package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.session.LastingFailure;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Obstacle;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;

/**
 * Removes the obstacles in a waiting request's way, one after the other, and then has the request
 * looked at again if any is gone. Obstacles that the look after that names again are not gone, as
 * with a store that judges them in two ways: they then stay until the next look of the request's
 * schedule.
 */
final class Clearing {

  private final Core core;
  private final Session session;
  private final PendingRequest request;

  /** The obstacles that are left, while the queue is being cleared. */
  private Iterator<Obstacle> left = Collections.emptyIterator();

  /** All of them. */
  private List<Obstacle> obstacles = List.of();

  /** Those of the time before, if any was gone then. */
  private List<Obstacle> before = List.of();

  private boolean underWay;

  /** Whether any is gone. */
  private boolean removed;

  /**
   * An overtake on its way can make the request the head after it has left the queue, so a request
   * that leaves meanwhile is unsettled like one whose grab was not answered.
   */
  private boolean overtaking;

  private OptionalLong notBeforeNanos = OptionalLong.empty();
  private final LastingFailure lastingFailure = new LastingFailure();

  Clearing(Core core, Session session, PendingRequest request) {
    this.core = core;
    this.session = session;
    this.request = request;
  }

  /** Begins, unless it is under way, or the store has said that it is too early. */
  @GuardedBy("turn.lock")
  void begin(List<Obstacle> found, Turn turn) {
    if (found.isEmpty()) {
      before = List.of(); // Nothing was in the way for a time.
      lastingFailure.passed();
      return;
    }
    boolean isTooEarly =
        notBeforeNanos.isPresent() && core.seam.nanos() - notBeforeNanos.getAsLong() < 0;
    if (underWay || isTooEarly) {
      return;
    }
    underWay = true;
    removed = false;
    obstacles = List.copyOf(found);
    left = obstacles.iterator();
    next(turn);
  }

  @GuardedBy("turn.lock")
  boolean isOvertaking(Turn turn) {
    return overtaking;
  }

  @GuardedBy("turn.lock")
  private void next(Turn turn) {
    if (left.hasNext() && !session.isOver() && request.isQueued(turn)) {
      new ObstacleRemoval(left.next()).begin(turn);
      return;
    }
    underWay = false;
    boolean gone = removed && !obstacles.equals(before);
    before = removed ? obstacles : List.of();
    if (gone && request.isQueued(turn)) {
      request.pollSchedule(turn).lookNow(core.seam.nanos());
      session.looksAtAnotherTime(request, turn);
    }
  }

  private final class ObstacleRemoval extends Removal {
    ObstacleRemoval(Obstacle obstacle) {
      super(Runner.BACKGROUND, Core.CALL_TIMEOUT, request.request(), obstacle);
    }

    @Override
    @GuardedBy("turn.lock")
    boolean isWanted(Turn turn) {
      return request.isQueued(turn);
    }

    @Override
    @GuardedBy("turn.lock")
    void overtakeSent(Turn turn) {
      overtaking = true;
    }

    @Override
    @GuardedBy("turn.lock")
    void ended(Outcome outcome, Turn turn) {
      boolean wasOvertaking = overtaking;
      overtaking = false;
      if (!(outcome instanceof Failed)) {
        lastingFailure.passed();
      }
      if (outcome instanceof Overtook overtook
          && overtook.attempt() instanceof Attempt.Delayed delayed) {
        putOff(delayed, turn);
        return;
      }
      if (outcome instanceof Overtook || outcome instanceof Removed) {
        removed = true;
      } else if (outcome instanceof Failed failed) {
        failed(failed.failure(), wasOvertaking, turn);
      }
      next(turn);
    }
  }

  @GuardedBy("turn.lock")
  private void failed(RuntimeException failure, boolean wasOvertaking, Turn turn) {
    if (wasOvertaking && Failures.isAmbiguous(failure)) {
      request.mayHaveBeenDone(turn);
    }
    if (lastingFailure.lasts(failure, core.seam.nanos())) {
      request.fails(failure, turn);
    }
  }

  /** The store lets no request overtake for so long; what stands in the way is left until then. */
  @GuardedBy("turn.lock")
  private void putOff(Attempt.Delayed delayed, Turn turn) {
    underWay = false;
    long notBefore = core.seam.nanos() + Delays.nanos(delayed.remaining(), request.request().id());
    notBeforeNanos = OptionalLong.of(notBefore);
    if (request.isQueued(turn)) {
      request.pollSchedule(turn).lookAtLatest(notBefore);
      session.looksAtAnotherTime(request, turn);
    }
  }
}
