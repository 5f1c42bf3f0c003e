package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.SessionId;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Removes waiters whose sessions are over, for a request that the store keeps out because of them.
 *
 * <p>A request in the queue finds dead ones ahead of it by its looks. One that is not let in has no
 * look, and where all that wait are dead there is none. So it goes through the waiters from the
 * first on, up to one that lives. A dead waiter behind that one is removed by a request that waits
 * behind it, or becomes the first. A session is ended before its request is removed, and the
 * request only if it still waits after that: between the two it may have come to hold. All of it
 * runs in the background: it may take many calls, and the caller that asks waits for a time of its
 * own.
 */
abstract class WaiterRemovals {

  /** How many are looked at in one pass. */
  private static final int WAITERS = 32;

  private final Wish wish;
  private final PendingRequest pending;

  /** The sessions that were found over, at the beginning of the present pass. */
  private final Set<SessionId> over = new HashSet<>();

  private final Set<SessionId> endedInPass = new HashSet<>();
  private final Deque<Waiter> left = new ArrayDeque<>();

  WaiterRemovals(Wish wish, PendingRequest pending) {
    this.wish = wish;
    this.pending = pending;
  }

  /** No waiter that is in the way could be removed. */
  @GuardedBy("turn.lock")
  abstract void allLive(Turn turn);

  /** Begins, unless the present attempt has done so often enough. */
  @GuardedBy("turn.lock")
  final void beginIfAllowed(Turn turn) {
    if (wish.mayRemoveWaitersAgain(turn)) {
      inspect(turn);
    } else {
      allLive(turn);
    }
  }

  @GuardedBy("turn.lock")
  private void inspect(Turn turn) {
    turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, new InspectQueue());
  }

  private final class InspectQueue implements StoreCall<Optional<LockRecord>> {
    @Override
    public Optional<LockRecord> send(CheckedBackend store, Deadline deadline) {
      return store.inspect(pending.request().name(), WAITERS, deadline);
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Optional<LockRecord> found, Turn turn) {
      LockRecord record = found.orElseGet(() -> LockRecord.unknown(pending.request().name()));
      if (!pending.isCalling(turn)) {
        pending.leaveStore(false, turn);
      } else if (record.isHeld()) {
        left.addAll(record.waiters());
        next(record, turn);
      } else {
        new Refusal(wish, pending).refused(Runner.BACKGROUND, record, turn);
      }
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      givenUp(turn);
    }
  }

  /** The store has answered the request before: what was tried for it then changes nothing. */
  @GuardedBy("turn.lock")
  private void givenUp(Turn turn) {
    if (pending.isCalling(turn)) {
      allLive(turn);
    } else {
      pending.leaveStore(false, turn);
    }
  }

  @GuardedBy("turn.lock")
  private void next(LockRecord record, Turn turn) {
    while (!left.isEmpty()) {
      Waiter waiter = left.remove();
      if (!endedInPass.contains(waiter.request().session())) {
        new OneRemoval(record, record.holders().get(0), waiter).begin(turn);
        return;
      }
    }
    if (!endedInPass.isEmpty()) {
      over.addAll(endedInPass);
      endedInPass.clear();
      inspect(turn);
    } else if (!over.isEmpty()) { // Requests of theirs were in the way.
      pending.grab(Runner.BACKGROUND, turn);
    } else {
      allLive(turn);
    }
  }

  /** Ends the session of a waiter; or removes the waiter, if its session was over before. */
  private final class OneRemoval extends Removal {
    private final LockRecord record;
    private final SessionId session;

    OneRemoval(LockRecord record, Holder any, Waiter waiter) {
      super(
          Runner.BACKGROUND,
          Core.CALL_TIMEOUT,
          pending.request(),
          new Obstacle(
              new Observed(record.name(), record.number(), any.request()),
              waiter.request(),
              over.contains(waiter.request().session()) ? Liveness.ENDED : Liveness.LAPSED));
      this.record = record;
      this.session = waiter.request().session();
    }

    @Override
    @GuardedBy("turn.lock")
    boolean isWanted(Turn turn) {
      return pending.isCalling(turn);
    }

    @Override
    @GuardedBy("turn.lock")
    void ended(Outcome outcome, Turn turn) {
      // The request may have left during the last call, and must not be sent any more.
      if (outcome instanceof Failed || !pending.isCalling(turn)) {
        givenUp(turn);
        return;
      }
      if (outcome instanceof Lives) {
        left.clear();
      } else if (!over.contains(session)) {
        endedInPass.add(session);
      }
      next(record, turn);
    }
  }
}
