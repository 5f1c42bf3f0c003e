package io.holdfast.engine.hold;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.LossReason;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The listeners that are told of the trouble and of the loss of one grant. */
final class GrantListeners {

  /** Immutable, as most grants have none. */
  private List<Consumer<LossReason>> ofLoss = List.of();

  /** The engine's own, as the next: no listener of the application's delays them. */
  private List<Consumer<LossReason>> ofEnd = List.of();

  private List<Runnable> ofTrouble = List.of();

  @GuardedBy("turn.lock")
  void addOfLoss(Consumer<LossReason> listener, Turn turn) {
    ofLoss = and(ofLoss, listener);
  }

  @GuardedBy("turn.lock")
  void addOfEnd(Consumer<LossReason> listener, Turn turn) {
    ofEnd = and(ofEnd, listener);
  }

  @GuardedBy("turn.lock")
  void addOfTrouble(Runnable listener, Turn turn) {
    ofTrouble = and(ofTrouble, listener);
  }

  private static <T> List<T> and(List<T> present, T another) {
    return Stream.concat(present.stream(), Stream.of(another)).toList();
  }

  /** The lease has run out. A renewal may save it yet. */
  @GuardedBy("turn.lock")
  void tellJeopardy(Turn turn) {
    tellEnd(LossReason.LEASE_EXPIRED, turn);
    tellTrouble(turn);
  }

  @GuardedBy("turn.lock")
  private void tellTrouble(Turn turn) {
    // An interrupt may set off an action that blocks, like the closing of a channel.
    for (Runnable listener : ofTrouble) {
      turn.signal(listener, listener);
    }
  }

  /** Tells the loss, once. */
  @GuardedBy("turn.lock")
  void tellLost(LossReason reason, Turn turn) {
    for (Consumer<LossReason> listener : ofLoss) {
      turn.tell(listener, () -> listener.accept(reason));
    }
    ofLoss = List.of();
    tellEnd(reason, turn);
    tellTrouble(turn);
  }

  /** Tells once that it is not certain any more, or lost, whichever comes first. */
  @GuardedBy("turn.lock")
  private void tellEnd(LossReason reason, Turn turn) {
    for (Consumer<LossReason> listener : ofEnd) {
      turn.signal(listener, () -> listener.accept(reason));
    }
    ofEnd = List.of();
  }
}
