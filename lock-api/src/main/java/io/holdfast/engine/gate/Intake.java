package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.ThreadedSeam;
import io.holdfast.engine.turn.Turn;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Where the wishes for which no thread waits line up before they ask the store, in order of
 * arrival. A few ask at a time, so however many there are, threads for other calls are free. One
 * that has to ask again goes to the end of the line.
 */
final class Intake {

  /** How many ask at a time: half of the threads for calls in the background. */
  static final int AT_A_TIME = ThreadedSeam.HANGING_MAX / 2;

  private final Set<Wish> line = new LinkedHashSet<>();
  private int free = AT_A_TIME;
  private boolean isLettingIn;

  /** A wish wants to ask; it is told when it may, possibly now. */
  @GuardedBy("turn.lock")
  void join(Wish wish, Turn turn) {
    line.add(wish);
    letIn(turn);
  }

  /** Whether a wish waits here until it may ask. */
  @GuardedBy("turn.lock")
  boolean isInLine(Wish wish, Turn turn) {
    return line.contains(wish);
  }

  /** A wish that may be in the line does not want to ask any more. */
  @GuardedBy("turn.lock")
  void forget(Wish wish, Turn turn) {
    line.remove(wish);
  }

  /** A wish that was let in has been answered. */
  @GuardedBy("turn.lock")
  void leaves(Turn turn) {
    free++;
    letIn(turn);
  }

  @GuardedBy("turn.lock")
  private void letIn(Turn turn) {
    if (isLettingIn) {
      return; // One that was let in leaves at once; the loop below goes on.
    }
    isLettingIn = true;
    try {
      while (free > 0 && !line.isEmpty()) {
        Iterator<Wish> first = line.iterator();
        Wish next = first.next();
        first.remove();
        free--;
        next.letIn(turn);
      }
    } finally {
      isLettingIn = false;
    }
  }
}
