package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockEvent;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import java.util.Optional;

/**
 * What follows when the store neither grants a request nor takes it into the queue: another holds,
 * the queue is full, or grants are delayed. A holder that does not count is overtaken.
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
    if (record.isHeld() || !wish.mayRemoveAnotherHolder(turn)) {
      keptOut(turn);
    } else if (holder.isEmpty()) {
      pending.grab(runner, turn); // It came free between two looks of the store at it.
    } else {
      new HolderRemoval(runner, record, holder.get()).begin(turn);
    }
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

  /**
   * The dead take places too: where the holder counts no more, the request that is kept out clears
   * the queue as if it had been refused.
   */
  @GuardedBy("turn.lock")
  void queueFull(Runner runner, Attempt.QueueFull full, Turn turn) {
    turn.call(runner, wish.timeout(runner), new InspectFullQueue(runner, full));
  }

  private final class InspectFullQueue implements StoreCall<Optional<LockRecord>> {
    private final Runner runner;
    private final Attempt.QueueFull full;

    InspectFullQueue(Runner runner, Attempt.QueueFull full) {
      this.runner = runner;
      this.full = full;
    }

    @Override
    public Optional<LockRecord> send(CheckedBackend store, Deadline deadline) {
      return store.inspect(pending.request().name(), 0, deadline);
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Optional<LockRecord> found, Turn turn) {
      Request request = pending.request();
      LockRecord record = found.orElseGet(() -> LockRecord.unknown(request.name()));
      if (!pending.isCalling(turn)) {
        pending.leaveStore(false, turn);
      } else if (record.isHeld()) {
        pending.leaveStore(false, turn);
        wish.queueFull(full, turn);
      } else {
        refused(runner, record, turn);
      }
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      pending.callFailed(failure, turn);
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
