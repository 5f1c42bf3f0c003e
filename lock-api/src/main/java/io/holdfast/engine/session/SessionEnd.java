package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.answer.Ended;

/**
 * Ends a session in the store, in the background. If that goes on failing the session ends by
 * itself: no client renews it.
 */
final class SessionEnd implements StoreCall<Ended>, Turn.Step {

  private static final int ATTEMPTS = 4;

  private final Session session;
  private int attempts;

  SessionEnd(Session session) {
    this.session = session;
  }

  @GuardedBy("turn.lock")
  void attempt(Turn turn) {
    attempts++;
    turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, this);
  }

  @Override
  public Ended send(CheckedBackend store, Deadline deadline) {
    return store.end(session.id, EndIf.CLOSED, deadline);
  }

  @Override
  public void answered(Ended ended, Turn turn) {}

  @Override
  @GuardedBy("turn.lock")
  public void failed(RuntimeException failure, Turn turn) {
    if (attempts < ATTEMPTS) {
      turn.after(session.ttl().toNanos() / 4, this);
    }
  }

  /** The next attempt, after a pause. */
  @Override
  @GuardedBy("turn.lock")
  public void run(Turn turn) {
    attempt(turn);
  }
}
