package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Deadline;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.IntPredicate;

/**
 * A call in the background by a client that closes: what fails is repeated, soon, a few times or
 * for as long as closing may take.
 */
final class LastCall implements StoreCall<Object>, Turn.Step {

  private static final int ATTEMPTS = 4;

  /** Doubled with each of the first attempts. */
  private static final long PAUSE_NANOS = 10_000_000;

  private static final int DOUBLINGS_MAX = 4;

  /** Complete when the store has answered (true) or has gone on failing (false). */
  final CompletableFuture<Boolean> answered = new CompletableFuture<>();

  private final BiFunction<CheckedBackend, Deadline, ?> verb;

  /** Whether a further attempt is worth it after so many. */
  private final IntPredicate goesOn;

  private int attempts;

  LastCall(BiFunction<CheckedBackend, Deadline, ?> verb) {
    this(verb, attempts -> attempts < ATTEMPTS);
  }

  private LastCall(BiFunction<CheckedBackend, Deadline, ?> verb, IntPredicate goesOn) {
    this.verb = verb;
    this.goesOn = goesOn;
  }

  /** One on which more depends than how long others have to wait. */
  static LastCall untilTimeout(Core core, BiFunction<CheckedBackend, Deadline, ?> verb) {
    long startedNanos = core.seam.nanos();
    return new LastCall(
        verb, attempts -> core.seam.nanos() - startedNanos < Core.CALL_TIMEOUT.toNanos());
  }

  @GuardedBy("turn.lock")
  void attempt(Turn turn) {
    attempts++;
    turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, this);
  }

  @Override
  public Object send(CheckedBackend store, Deadline deadline) {
    return verb.apply(store, deadline);
  }

  @Override
  @GuardedBy("turn.lock")
  public void answered(Object answer, Turn turn) {
    turn.complete(answered, true);
  }

  @Override
  @GuardedBy("turn.lock")
  public void failed(RuntimeException failure, Turn turn) {
    if (goesOn.test(attempts) && !Failures.isFinal(failure)) {
      turn.after(PAUSE_NANOS << Math.min(attempts, DOUBLINGS_MAX), this);
    } else {
      turn.complete(answered, false);
    }
  }

  /** The next attempt, after a pause. */
  @Override
  @GuardedBy("turn.lock")
  public void run(Turn turn) {
    attempt(turn);
  }
}
