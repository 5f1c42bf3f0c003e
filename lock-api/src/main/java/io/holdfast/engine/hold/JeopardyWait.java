package io.holdfast.engine.hold;

import io.holdfast.LockInterruptedException;
import io.holdfast.LossReason;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/** A caller's wait for the end of a grant's jeopardy: saved by a renewal, or lost. */
record JeopardyWait(Core core, Session session, HeldGrant grant) {

  /** Returns when the lease is in force again; what it throws is final for the grant. */
  void end() {
    CompletableFuture<Boolean> awaited = CompletableFuture.completedFuture(true);
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
        if (awaited.isDone()) { // The wait begins, or a renewal came and another jeopardy.
          graceEndNanos = core.seam.nanos() + core.settings.graceNanos(session.ttl());
          awaited = verdict;
        }
        await(CompletableFuture.anyOf(verdict, change), graceEndNanos);
      }
    }
  }

  private void await(CompletableFuture<Object> decision, long graceEndNanos) {
    long graceLeftNanos = graceEndNanos - core.seam.nanos();
    try {
      Object unused =
          core.seam.await(
              decision,
              Duration.ofNanos(Math.max(0, Math.min(graceLeftNanos, grant.timeLeftNanos()))));
    } catch (TimeoutException e) {
      if (graceEndNanos - core.seam.nanos() > 0) {
        return; // The time of the grant is up, unless it was moved meanwhile.
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
