package io.holdfast.engine.hold;

import io.holdfast.engine.session.Session;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/** A caller's wait for the end of a grant's jeopardy: saved by a renewal, or lost. */
record JeopardyWait(Core core, Session session, HeldGrant grant) {

  /**
   * Returns true when the lease is in force again, and false when it is not by then; if the grant
   * is lost, what it throws is final for the grant.
   */
  boolean end(Duration maxWait) {
    CompletableFuture<Boolean> awaited = CompletableFuture.completedFuture(true);
    long waitEndNanos = core.seam.nanos() + maxWait.toNanos();
    long graceEndNanos = 0;
    while (!grant.inForce()) {
      CompletableFuture<Boolean> verdict;
      CompletableFuture<Boolean> change;
      Turn turn = core.turn();
      turn.lock.lock();
      try {
        verdict = session.verdict(turn);
        change = grant.nextChange(turn);
        if (grant.mayBeSaved(turn)) {
          session.renewNow(turn);
        }
      } finally {
        turn.lock.unlock();
      }
      turn.carryOut();
      Optional<LossReason> gone = grant.gone();
      if (gone.isPresent()) {
        throw grant.lost(gone.get());
      }
      if (!grant.inForce()) {
        long waitLeftNanos = waitEndNanos - core.seam.nanos();
        if (waitLeftNanos <= 0) {
          return false;
        }
        if (awaited.isDone()) { // The wait begins, or a renewal came and another jeopardy.
          graceEndNanos = core.seam.nanos() + core.settings.graceNanos(session.ttl());
          awaited = verdict;
        }
        await(CompletableFuture.anyOf(verdict, change), graceEndNanos, waitLeftNanos);
      }
    }
    return true;
  }

  private void await(CompletableFuture<Object> decision, long graceEndNanos, long waitLeftNanos) {
    long graceLeftNanos = graceEndNanos - core.seam.nanos();
    long undisturbedNanos = Math.min(graceLeftNanos, grant.timeLeftNanos());
    try {
      Object unused =
          core.seam.await(
              decision, Duration.ofNanos(Math.max(0, Math.min(undisturbedNanos, waitLeftNanos))));
    } catch (TimeoutException e) {
      if (graceEndNanos - core.seam.nanos() > 0) {
        return; // Its caller waits no longer, or the time of the grant is up, unless it was moved.
      }
      Turn turn = core.turn();
      turn.lock.lock();
      try {
        session.graceIsOver(turn);
      } finally {
        turn.lock.unlock();
      }
      turn.carryOut();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockInterruptedException(
          "Interrupted while the lease of lock \"" + grant.name() + "\" was in jeopardy", e);
    }
  }
}
