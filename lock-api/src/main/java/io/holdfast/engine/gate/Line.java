package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.turn.Turn;
import java.time.Duration;
import java.util.Optional;

/** Where wishes that ask in the background line up until they may ask. */
interface Line {

  /** A wish wants to ask; it is told when it may, possibly now. */
  @GuardedBy("turn.lock")
  void join(Wish wish, Turn turn);

  /** Whether a wish waits here until it may ask. */
  @GuardedBy("turn.lock")
  boolean contains(Wish wish, Turn turn);

  /** A wish that may be in the line does not want to ask any more. */
  @GuardedBy("turn.lock")
  void forget(Wish wish, Turn turn);

  /** Whether a wish has been let in and has not left. */
  @GuardedBy("turn.lock")
  boolean hasLetIn(Wish wish, Turn turn);

  /** The call for which a wish was let in, if it was, is answered. */
  @GuardedBy("turn.lock")
  void leaves(Wish wish, Turn turn);

  /** The store has answered a wish. */
  @GuardedBy("turn.lock")
  void answered(Wish wish, Turn turn);

  /** A call for a wish has failed for a reason that may pass. */
  @GuardedBy("turn.lock")
  void failed(Wish wish, RuntimeException failure, Turn turn);

  /** If a wish that asks once is still in line, it is told why it has not come to ask. */
  @GuardedBy("turn.lock")
  void tell(Wish wish, Turn turn);

  /** The failure that keeps those in line from asking, if one does. */
  @GuardedBy("turn.lock")
  Optional<RuntimeException> trouble(Turn turn);

  /** For how long the store has answered none of those that were let in, if it is known. */
  @GuardedBy("turn.lock")
  Optional<Duration> unansweredFor(Turn turn);

  /** For one that has waited for as long as a call may take. */
  final class TellOne implements Turn.Step {
    private final Line line;
    private final Wish wish;

    TellOne(Line line, Wish wish) {
      this.line = line;
      this.wish = wish;
    }

    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      line.tell(wish, turn);
    }
  }
}
