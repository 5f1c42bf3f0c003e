package io.holdfast.engine.hold;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.ReleaseOutcome;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.session.Departure;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.answer.Released;
import java.util.Optional;

/**
 * Gives a number that is dead in this process back to the store, by one call. If the call fails, it
 * is repeated in the background.
 */
record HoldRelease(Core core, Hold hold, Departure departure) implements StoreCall<Released> {

  /** Calls on the caller's thread. */
  ReleaseOutcome here() {
    Released released;
    try {
      released =
          core.seam.callHere(Core.CALL_TIMEOUT, deadline -> departure.send(core.backend, deadline));
    } catch (RuntimeException failure) {
      ended(Optional.of(failure));
      return ReleaseOutcome.PENDING;
    } catch (Error e) {
      // The caller goes on, so no other thread would give it back.
      ended(Optional.of(new IllegalStateException(e)));
      throw e;
    }
    boolean isLeft = hold.session.isLeft(); // Before it may be closed because nothing holds.
    ended(Optional.empty());
    return switch (released) {
      case HANDED_ON -> ReleaseOutcome.HANDED_ON;
      case FREED -> ReleaseOutcome.FREED;
      case SHARED -> ReleaseOutcome.SHARED;
      case STAYS -> ReleaseOutcome.STAYS;
      case WAS_WAITING, NOTHING -> isLeft ? ReleaseOutcome.ALREADY_RELEASED : ReleaseOutcome.LOST;
    };
  }

  private void ended(Optional<RuntimeException> failure) {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      hold.left(failure, turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  /** Calls in the background. */
  @GuardedBy("turn.lock")
  void inBackground(Turn turn) {
    turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, this);
  }

  @Override
  public Released send(CheckedBackend store, Deadline deadline) {
    return departure.send(store, deadline);
  }

  @Override
  @GuardedBy("turn.lock")
  public void answered(Released released, Turn turn) {
    hold.left(Optional.empty(), turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void failed(RuntimeException failure, Turn turn) {
    hold.left(Optional.of(failure), turn);
  }
}
