package io.holdfast.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.Grant;
import io.holdfast.engine.gate.Gate;
import io.holdfast.engine.gate.Ticket;
import io.holdfast.engine.hold.HeldGrant;
import io.holdfast.engine.seam.Seam.Timer;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.EngineSettings;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.HoldfastException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.event.Level;

/**
 * One acquire for which no thread waits: its ticket, and the future that gets the ticket's outcome.
 * A grant that finds the future ended, by this or by the application, is given back.
 *
 * @param <T> what the future tells of a grant, or of none
 */
final class AsyncAcquire<T> {

  final CompletableFuture<T> future = new CompletableFuture<>();

  private final Core core;
  private final Ticket ticket;
  private final Function<Grant, T> acquired;
  private final Function<Ticket.NotAcquired, T> notAcquired;
  private volatile Timer timeIsUp = Timer.NONE;

  /** Whether the grant is being delivered or given back: the first that finds it does either. */
  private final AtomicBoolean claimed = new AtomicBoolean();

  /**
   * Makes one, which has not begun.
   *
   * @param notAcquired returns the result, or throws, if the lock was not granted in time
   */
  AsyncAcquire(
      Core core,
      Ticket ticket,
      Function<Grant, T> acquired,
      Function<Ticket.NotAcquired, T> notAcquired) {
    this.core = core;
    this.ticket = ticket;
    this.acquired = acquired;
    this.notAcquired = notAcquired;
  }

  /** Sends the ticket to the gate. */
  @GuardedBy("turn.lock")
  void begin(Gate gate, Turn turn) {
    gate.enter(ticket, turn);
    Duration wait = ticket.options.maxWait().orElse(Duration.ZERO);
    if (!wait.isZero() && wait.compareTo(EngineSettings.DURATION_MAX) < 0) {
      timeIsUp = turn.after(wait.toNanos(), new TimeIsUp());
    }
    // Both last, so that neither runs before the ticket stands in its line.
    var unused = ticket.outcome.thenAccept(this::tell);
    var ignored = future.whenComplete((result, failure) -> ended());
  }

  /** A ticket that was called up a moment before has its outcome. */
  private final class TimeIsUp implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      Gate gate = ticket.gate().orElseThrow();
      Ticket.Outcome whyNot = gate.whyNot(ticket, turn);
      if (gate.leave(ticket, turn)) {
        turn.complete(ticket.outcome, whyNot);
      }
    }
  }

  /**
   * The application's executor is foreign code, which may block or run what it is given at once.
   */
  private void tell(Ticket.Outcome outcome) {
    timeIsUp.cancel();
    core.seam.tellOfOutcome(this, () -> handOn(outcome));
  }

  private void handOn(Ticket.Outcome outcome) {
    AtomicBoolean begun = new AtomicBoolean();
    try {
      core.settings
          .asyncExecutor()
          .execute(
              () -> {
                if (begun.compareAndSet(false, true)) {
                  end(outcome);
                }
              });
    } catch (RuntimeException | Error refusal) {
      if (begun.compareAndSet(false, true)) {
        refused(outcome, refusal);
      }
    }
  }

  private void refused(Ticket.Outcome outcome, Throwable refusal) {
    core.log(Level.WARN, "the executor of asynchronous acquires takes no task: " + refusal);
    if (outcome instanceof Ticket.Acquired) {
      giveBack(outcome);
      boolean unused = future.completeExceptionally(refusal);
    } else {
      end(outcome);
    }
  }

  private void giveBack(Ticket.Outcome outcome) {
    if (outcome instanceof Ticket.Acquired granted && claimed.compareAndSet(false, true)) {
      granted.grant().giveBackUnused();
    }
  }

  /** Runs where the application wants it. */
  private void end(Ticket.Outcome outcome) {
    if (outcome instanceof Ticket.Acquired granted) {
      if (claimed.compareAndSet(false, true)) {
        deliver(granted.grant());
      }
    } else if (outcome instanceof Ticket.Failed failed) {
      boolean unused = future.completeExceptionally(Failures.forCaller(failed.failure()));
    } else {
      tellOf((Ticket.NotAcquired) outcome);
    }
  }

  private void deliver(HeldGrant grant) {
    if (grant.isOfClosedClient()) {
      boolean unused = future.completeExceptionally(Failures.closed(core.backend.describe()));
    } else if (future.isDone()) {
      grant.giveBackUnused();
    } else {
      T result;
      try {
        grant.reachesCaller(ticket.options); // Before those who use it: its times count from here.
        result = acquired.apply(grant);
      } catch (RuntimeException | Error e) {
        grant.giveBackAfter(e); // No other thread does: it is claimed.
        boolean unused = future.completeExceptionally(e);
        return;
      }
      if (!future.complete(result)) {
        grant.giveBackUnused();
      }
    }
  }

  private void tellOf(Ticket.NotAcquired none) {
    try {
      boolean unused = future.complete(notAcquired.apply(none));
    } catch (HoldfastException timedOut) {
      boolean unused = future.completeExceptionally(timedOut);
    }
  }

  /**
   * The future has its end. If that came from the application, the lock is not wanted any more: a
   * grant goes back now, since the application's executor may be long in coming to it.
   */
  private void ended() {
    if (!ticket.outcome.isDone()) {
      timeIsUp.cancel();
      Turn turn = core.turn();
      turn.lock.lock();
      try {
        ticket.gate().ifPresent(gate -> gate.leave(ticket, turn));
      } finally {
        turn.lock.unlock();
      }
      turn.carryOut();
    }
    var unused = ticket.outcome.thenAccept(this::giveBack); // It may have been called up meanwhile.
  }
}
