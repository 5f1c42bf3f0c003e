package io.holdfast.engine.turn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.spi.Deadline;

/**
 * A call to the store, made outside of any turn, and the steps after an answer or a failure, in a
 * turn of its own. Exactly one of the two comes.
 *
 * @param <T> what the store answers
 */
public interface StoreCall<T> {

  /** Makes the call. Runs without the lock, on the thread that the call was given to. */
  T send(CheckedBackend store, Deadline deadline);

  /** The store has answered. */
  @GuardedBy("turn.lock")
  void answered(T answer, Turn turn);

  /** The call has failed, or was given up. */
  @GuardedBy("turn.lock")
  void failed(RuntimeException failure, Turn turn);

  /** An answer as a step. */
  record AnswerStep<T>(StoreCall<T> call, T answer) implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      call.answered(answer, turn);
    }
  }

  /** A failure as a step. */
  record FailureStep(StoreCall<?> call, RuntimeException failure) implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      call.failed(failure, turn);
    }
  }
}
