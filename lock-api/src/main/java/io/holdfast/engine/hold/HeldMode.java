package io.holdfast.engine.hold;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockMode;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.BadRequestException;
import io.holdfast.spi.Deadline;
import java.util.OptionalLong;

/**
 * The mode in which a number is held, and its way from exclusive to shared mode, by one call.
 *
 * <p>The call is repeated until the store has answered. A copy that was not answered may arrive at
 * any time and let others in, so the number counts as shared from the first call on, and never as
 * exclusive again.
 */
final class HeldMode implements StoreCall<OptionalLong> {

  private final Core core;
  private final Hold hold;
  private volatile LockMode mode;

  /** The store may not know of the present mode yet. */
  private boolean underWay;

  /** A call was not answered, so the answer to a later one does not tell the mode in the store. */
  private boolean mayHaveBeenDone;

  HeldMode(Core core, Hold hold, LockMode mode) {
    this.core = core;
    this.hold = hold;
    this.mode = mode;
  }

  LockMode now() {
    return mode;
  }

  boolean isShared() {
    return mode == LockMode.SHARED;
  }

  /** Whether the store has answered that it knows the present mode. */
  @GuardedBy("turn.lock")
  boolean isSettled(Turn turn) {
    return !underWay;
  }

  /** From now on it counts as shared, even if the store refuses or does not answer. */
  @GuardedBy("turn.lock")
  void becomesShared(Turn turn) {
    becomes(LockMode.SHARED, turn);
    underWay = true;
  }

  @GuardedBy("turn.lock")
  private void becomes(LockMode now, Turn turn) {
    mode = now;
    hold.isNow(now, turn);
  }

  /** Tells the store, on the caller's thread. */
  void tellStore() {
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

  @Override
  public OptionalLong send(CheckedBackend store, Deadline deadline) {
    return store.downgrade(hold.key(), deadline);
  }

  @Override
  @GuardedBy("turn.lock")
  public void answered(OptionalLong number, Turn turn) {
    if (underWay) { // Else another copy was answered before.
      underWay = false;
      hold.downgraded(number, turn);
    }
  }

  @Override
  @GuardedBy("turn.lock")
  public void failed(RuntimeException failure, Turn turn) {
    mayHaveBeenDone |= Failures.isAmbiguous(failure);
    if (mayHaveBeenDone || !(failure instanceof BadRequestException)) {
      turn.after(core.settings.heartbeatNanos(hold.session.ttl()), new Again());
    } else {
      becomes(LockMode.EXCLUSIVE, turn); // The store has no shared mode, and has changed nothing.
      underWay = false;
    }
  }

  private final class Again implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      if (underWay && hold.isInUse(turn) && !hold.session.isOver()) {
        turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, HeldMode.this);
      }
    }
  }
}
