package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockEvent;
import io.holdfast.LockMode;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.turn.Turn;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import java.util.Optional;

/**
 * Goes on when the store neither grants a request nor takes it into the queue: another holds, the
 * queue is full, or grants are delayed. A holder that does not count is overtaken.
 */
final class Refusal {

  private final Wish wish;
  private final PendingRequest pending;

  Refusal(Wish wish, PendingRequest pending) {
    this.wish = wish;
    this.pending = pending;
  }

  /** Another request holds: one whose session does not count is overtaken. */
  @GuardedBy("turn.lock")
  void refused(Runner runner, LockRecord record, Turn turn) {
    Optional<Holder> holder = record.holder();
    wish.whyNotGranted(holder.map(Gate::describe), turn);
    if (record.isHeld() && wish.asksOnce() && isKeptOutByAWaiter(record)) {
      new WaitersBeforeReader().beginIfAllowed(turn);
    } else if (record.isHeld()) {
      keptOut(turn);
    } else if (holder.isEmpty() && wish.mayAskAtOnceAgain(turn)) {
      pending.grab(runner, turn); // It came free between two looks of the store at it.
    } else if (holder.isEmpty()) {
      keptOut(turn);
    } else if (!wish.mayRemoveAnotherHolder(turn)) {
      String more = "the sessions of more holders are over than one attempt takes it from";
      wish.whyNotGranted(Optional.of(more), turn);
      keptOut(turn);
    } else {
      new HolderRemoval(wish.removalRunner(runner, turn), record, holder.get()).begin(turn);
    }
  }

  /** The holders would share it. */
  private boolean isKeptOutByAWaiter(LockRecord record) {
    return pending.request().mode() == LockMode.SHARED
        && record.holders().stream().allMatch(holder -> holder.mode() == LockMode.SHARED);
  }

  @GuardedBy("turn.lock")
  private void keptOut(Turn turn) {
    if (wish.asksOnce()) {
      pending.leaveStore(false, turn);
      wish.refused(turn);
    } else {
      // A request that wants to wait is refused for a moment only: something came in between.
      wish.mayRemoveHoldersAgain(turn);
      pending.rest(turn);
    }
  }

  /** Overtakes a holder that does not count. */
  private final class HolderRemoval extends Removal {
    private final Runner runner;

    HolderRemoval(Runner runner, LockRecord record, Holder holder) {
      super(
          runner,
          wish.timeout(runner),
          pending.request(),
          new Obstacle(
              new Observed(record.name(), record.number(), holder.request()),
              holder.request(),
              holder.liveness()));
      this.runner = runner;
    }

    @Override
    @GuardedBy("turn.lock")
    boolean isWanted(Turn turn) {
      return pending.isCalling(turn);
    }

    @Override
    @GuardedBy("turn.lock")
    void ended(Outcome outcome, Turn turn) {
      if (outcome instanceof Overtook overtook) {
        pending.answered(runner, overtook.attempt(), turn);
      } else if (outcome instanceof Failed failed) {
        pending.callFailed(failed.failure(), turn);
      } else if (outcome instanceof Lives) {
        keptOut(turn);
      } else {
        pending.leaveStore(false, turn);
      }
    }
  }

  /** Those that wait to hold it alone, in the way of one who would share it. */
  private final class WaitersBeforeReader extends WaiterRemovals {
    WaitersBeforeReader() {
      super(wish, pending);
    }

    @Override
    @GuardedBy("turn.lock")
    void allLive(Turn turn) {
      keptOut(turn);
    }
  }

  /** The dead take places too. */
  @GuardedBy("turn.lock")
  void queueFull(Attempt.QueueFull full, Turn turn) {
    new WaitersOfFullQueue(full).beginIfAllowed(turn);
  }

  private final class WaitersOfFullQueue extends WaiterRemovals {
    private final Attempt.QueueFull full;

    WaitersOfFullQueue(Attempt.QueueFull full) {
      super(wish, pending);
      this.full = full;
    }

    @Override
    @GuardedBy("turn.lock")
    void allLive(Turn turn) {
      pending.leaveStore(false, turn);
      wish.queueFull(full, turn);
    }
  }

  /** The restart guard runs, or a lock-delay: the store says for how long. */
  @GuardedBy("turn.lock")
  void delayed(Attempt.Delayed delayed, Turn turn) {
    Optional<String> why = Optional.of(delayed.why());
    if (!wish.whyNotGranted(turn).equals(why)) { // Told once, however often it asks meanwhile.
      wish.whyNotGranted(why, turn);
      turn.emit(
          new LockEvent.GrantsDelayed(wish.gate.publicName(), delayed.remaining(), delayed.why()));
    }
    if (wish.asksOnce()) {
      pending.leaveStore(false, turn);
      wish.refused(turn);
    } else {
      wish.nextPauseIs(Delays.nanos(delayed.remaining(), pending.request().id()), turn);
      pending.rest(turn);
    }
  }
}
