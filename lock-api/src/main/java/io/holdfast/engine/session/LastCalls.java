package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.seam.ThreadedSeam;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * The calls of a client that closes, or whose process exits. What fails is repeated, soon, a few
 * times or for as long as closing may take.
 *
 * <p>There may be many, some may hang, and there is little time. So a few are under way at a time,
 * all have their first attempt before any has its second, and the first attempt is soon given up:
 * locks whose calls hang do not keep the others from being given back.
 */
public final class LastCalls {

  /** The deadline of a first attempt: one that takes longer may hang, and others wait for it. */
  static final Duration FIRST_TIMEOUT = Duration.ofSeconds(1);

  /** So that there are threads for what is being withdrawn besides. */
  private static final int AT_A_TIME = 2 * ThreadedSeam.BACKGROUND_MAX / 3;

  private static final int ATTEMPTS = 4;

  /** Doubled with each of the first attempts. */
  private static final long PAUSE_NANOS = 10_000_000;

  private static final int DOUBLINGS_MAX = 4;

  private final Core core;
  private final Deque<Call> line = new ArrayDeque<>();

  /** Those that have failed before, and wait to be made once more. */
  private final Deque<Call> repeated = new ArrayDeque<>();

  private int underWay;

  public LastCalls(Core core) {
    this.core = core;
  }

  /**
   * Makes a call. Returns what is completed when the store has answered (true) or has gone on
   * failing (false).
   */
  @GuardedBy("turn.lock")
  CompletableFuture<Boolean> make(BiFunction<CheckedBackend, Deadline, ?> verb, Turn turn) {
    return lineUp(verb, attempts -> attempts < ATTEMPTS, turn);
  }

  /** Makes one on which more depends than how long others have to wait. */
  @GuardedBy("turn.lock")
  CompletableFuture<Boolean> makeUntilTimeout(
      BiFunction<CheckedBackend, Deadline, ?> verb, Turn turn) {
    long startedNanos = core.seam.nanos();
    return lineUp(
        verb, attempts -> core.seam.nanos() - startedNanos < Core.CALL_TIMEOUT.toNanos(), turn);
  }

  /**
   * Makes one that waits for no thread, like the heartbeats of which it is the last. If it fails,
   * which it does also where too many sessions end at the same time, it is the next in line.
   */
  @GuardedBy("turn.lock")
  CompletableFuture<Boolean> makeAsHeartbeat(
      BiFunction<CheckedBackend, Deadline, ?> verb, Turn turn) {
    Call call = new Call(verb, attempts -> attempts < ATTEMPTS, line::addFirst);
    call.send(Runner.HEARTBEAT, turn);
    return call.answered;
  }

  @GuardedBy("turn.lock")
  private CompletableFuture<Boolean> lineUp(
      BiFunction<CheckedBackend, Deadline, ?> verb, IntPredicate goesOn, Turn turn) {
    Call call = new Call(verb, goesOn, repeated::add);
    line.add(call);
    next(turn);
    return call.answered;
  }

  @GuardedBy("turn.lock")
  private void next(Turn turn) {
    while (underWay < AT_A_TIME && !(line.isEmpty() && repeated.isEmpty())) {
      underWay++;
      (line.isEmpty() ? repeated : line).remove().send(Runner.BACKGROUND, turn);
    }
  }

  private final class Call implements StoreCall<Object>, Turn.Step {
    final CompletableFuture<Boolean> answered = new CompletableFuture<>();

    private final BiFunction<CheckedBackend, Deadline, ?> verb;

    /** Whether a further attempt is worth it after so many. */
    private final IntPredicate goesOn;

    private final Consumer<Call> linesUpAgain;
    private int attempts;

    /** Whether the present attempt is one of the few that are under way. */
    private boolean hasPlace;

    Call(
        BiFunction<CheckedBackend, Deadline, ?> verb,
        IntPredicate goesOn,
        Consumer<Call> linesUpAgain) {
      this.verb = verb;
      this.goesOn = goesOn;
      this.linesUpAgain = linesUpAgain;
    }

    @GuardedBy("turn.lock")
    void send(Runner runner, Turn turn) {
      attempts++;
      hasPlace = runner == Runner.BACKGROUND;
      turn.call(runner, attempts == 1 ? FIRST_TIMEOUT : Core.CALL_TIMEOUT, this);
    }

    @Override
    public Object send(CheckedBackend store, Deadline deadline) {
      return verb.apply(store, deadline);
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Object answer, Turn turn) {
      turn.complete(answered, true);
      leavesPlace(turn);
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      if (goesOn.test(attempts) && !Failures.isFinal(failure)) {
        turn.after(PAUSE_NANOS << Math.min(attempts, DOUBLINGS_MAX), this);
      } else {
        turn.complete(answered, false);
      }
      leavesPlace(turn);
    }

    @GuardedBy("turn.lock")
    private void leavesPlace(Turn turn) {
      if (hasPlace) {
        hasPlace = false;
        underWay--;
        next(turn);
      }
    }

    /** The next attempt, after a pause. */
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      linesUpAgain.accept(this);
      next(turn);
    }
  }
}
