package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Deadline;
import java.util.OptionalLong;

/**
 * Turns a number from exclusive to shared mode, by one call. The call is repeated until the store
 * has answered. A copy that was not answered may arrive at any time and let others in, so the grant
 * never counts as exclusive again.
 */
record HoldDowngrade(Core core, Hold hold) implements StoreCall<OptionalLong> {

  /** Calls on the caller's thread. */
  void here() {
    OptionalLong number;
    try {
      number =
          core.seam.callHere(
              Core.CALL_TIMEOUT, deadline -> core.backend.downgrade(hold.key(), deadline));
    } catch (RuntimeException failure) {
      take(new FailureStep(this, failure));
      String what = "Downgrading the lock \"" + hold.gate.publicName() + "\"";
      throw Failures.toUser(what, core.backend.describe(), failure);
    } catch (Error e) {
      // The caller goes on, so no other thread would repeat it.
      take(new FailureStep(this, new IllegalStateException(e)));
      throw e;
    }
    take(new AnswerStep<>(this, number));
  }

  private void take(Turn.Step step) {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      step.run(turn);
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
  public OptionalLong send(CheckedBackend store, Deadline deadline) {
    return store.downgrade(hold.key(), deadline);
  }

  @Override
  @GuardedBy("turn.lock")
  public void answered(OptionalLong number, Turn turn) {
    if (number.isPresent()) {
      hold.downgraded(number.getAsLong(), turn);
    } else {
      hold.notThere(turn);
    }
  }

  @Override
  @GuardedBy("turn.lock")
  public void failed(RuntimeException failure, Turn turn) {
    if (Failures.isAmbiguous(failure) || Failures.isRetryable(failure)) {
      hold.downgradeAgain(turn);
    } else {
      hold.staysExclusive(turn);
    }
  }
}
