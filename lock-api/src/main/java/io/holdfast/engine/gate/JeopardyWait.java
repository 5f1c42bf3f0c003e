package io.holdfast.engine.gate;

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
    while (!grant.inForce()) {
      CompletableFuture<Boolean> verdict;
      Turn turn = core.turn();
      turn.lock.lock();
      try {
        verdict = session.verdict(turn);
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
        await(verdict);
      }
    }
  }

  private void await(CompletableFuture<Boolean> verdict) {
    long graceNanos = core.settings.graceNanos(session.ttl());
    try {
      core.seam.await(verdict, Duration.ofNanos(Math.min(graceNanos, grant.timeLeftNanos())));
    } catch (TimeoutException e) {
      if (grant.timeLeftNanos() <= 0) {
        return;
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
