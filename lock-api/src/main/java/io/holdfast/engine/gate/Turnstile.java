package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.ThreadedSeam;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Where wishes line up for which a thread waits, and which ask in the background all the same:
 * their session was opened there, or an interrupt must not break their calls. They ask in order of
 * arrival, so many at a time that the threads for calls in the background have time for others,
 * however many virtual threads ask at once. Those for which no thread waits have {@link
 * PartitionLine lines} of their own, and neither keep the other waiting.
 */
final class Turnstile implements Line {

  /** How many ask at a time: half of the threads for calls in the background. */
  static final int AT_A_TIME = ThreadedSeam.BACKGROUND_MAX / 2;

  private final Set<Wish> waiting = new LinkedHashSet<>();
  private final Set<Wish> letIn = new HashSet<>();
  private boolean isLettingIn;

  @Override
  @GuardedBy("turn.lock")
  public void join(Wish wish, Turn turn) {
    waiting.add(wish);
    letIn(turn);
    if (wish.asksOnce() && waiting.contains(wish)) {
      turn.after(Core.CALL_TIMEOUT.toNanos(), new TellOne(this, wish));
    }
  }

  @Override
  @GuardedBy("turn.lock")
  public boolean contains(Wish wish, Turn turn) {
    return waiting.contains(wish);
  }

  @Override
  @GuardedBy("turn.lock")
  public void forget(Wish wish, Turn turn) {
    waiting.remove(wish);
  }

  @Override
  @GuardedBy("turn.lock")
  public boolean hasLetIn(Wish wish, Turn turn) {
    return letIn.contains(wish);
  }

  @Override
  @GuardedBy("turn.lock")
  public void leaves(Wish wish, Turn turn) {
    if (letIn.remove(wish)) {
      letIn(turn);
    }
  }

  @GuardedBy("turn.lock")
  void letIn(Turn turn) {
    if (isLettingIn) {
      return; // One that was let in leaves at once; the loop below goes on.
    }
    isLettingIn = true;
    try {
      while (letIn.size() < AT_A_TIME && !waiting.isEmpty()) {
        Iterator<Wish> first = waiting.iterator();
        Wish next = first.next();
        first.remove();
        letIn.add(next);
        next.letIn(turn);
      }
    } finally {
      isLettingIn = false;
    }
  }

  /** Each that was let in goes on by itself, no matter what the store says to the others. */
  @Override
  public void answered(Wish wish, Turn turn) {}

  @Override
  public void failed(Wish wish, RuntimeException failure, Turn turn) {}

  @Override
  public Optional<RuntimeException> trouble(Turn turn) {
    return Optional.empty();
  }

  @Override
  public Optional<Duration> unansweredFor(Turn turn) {
    return Optional.empty();
  }

  @Override
  @GuardedBy("turn.lock")
  public void tell(Wish wish, Turn turn) {
    if (waiting.remove(wish)) {
      String why = "this client was still asking for other locks after " + Core.CALL_TIMEOUT;
      wish.failed(new BackendFailure(Effect.NONE, why, null), turn);
    }
  }
}
