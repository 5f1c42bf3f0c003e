package io.holdfast.engine.turn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockEvent;
import io.holdfast.SessionState;
import io.holdfast.engine.seam.Seam;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * One change of a client's state, under the lock that guards all of it, and the effects to carry
 * out after it.
 *
 * <p>Each effect outside the engine (a call to the store, a completed future, an event) is noted in
 * the turn and carried out once the lock is free, by the thread whose turn it was. So the lock is
 * held for moments only, and never while foreign code runs:
 *
 * <pre>{@code
 * Turn turn = core.turn();
 * turn.lock.lock();
 * try {
 *   gate.enter(ticket, turn);   // changes state, notes what follows from it
 * } finally {
 *   turn.lock.unlock();
 * }
 * turn.carryOut();              // calls the store, completes futures, tells listeners
 * }</pre>
 *
 * <p>A method that takes a turn reads and changes guarded state, and says so with
 * {@code @GuardedBy("turn.lock")}: the compiler refuses a call of it outside such a block.
 */
public final class Turn {

  /** A change of state that begins with a timer or an answer: in a turn of its own. */
  public interface Step {
    /** Changes state. */
    @GuardedBy("turn.lock")
    void run(Turn turn);
  }

  /** The lock around all state of the client. */
  public final ReentrantLock lock;

  private final Core core;

  /** The noted effects, in order: a chain, since most turns note one effect or none. */
  private @Nullable Effect first;

  private @Nullable Effect last;

  private abstract static class Effect {
    @Nullable Effect next;

    abstract void carryOut();
  }

  public Turn(Core core, ReentrantLock lock) {
    this.core = core;
    this.lock = lock;
  }

  /** Notes an effect. */
  @GuardedBy("lock")
  private void then(Effect noted) {
    assert lock.isHeldByCurrentThread();
    Effect before = last;
    if (before == null) {
      first = noted;
    } else {
      before.next = noted;
    }
    last = noted;
  }

  @GuardedBy("lock")
  private void then(Runnable task) {
    then(new Task(task));
  }

  private static final class Task extends Effect {
    private final Runnable task;

    Task(Runnable task) {
      this.task = task;
    }

    @Override
    void carryOut() {
      task.run();
    }
  }

  /** Calls the store after this turn; the answer comes in a turn of its own. */
  @GuardedBy("lock")
  public <T> void call(Seam.Runner runner, Duration timeout, StoreCall<T> call) {
    then(new Call<>(core, runner, timeout, call));
  }

  /** A call that was noted, and what its answer begins: one object, as every acquire needs one. */
  private static final class Call<T> extends Effect implements Seam.Verb<T> {
    private final Core core;
    private final Seam.Runner runner;
    private final Duration timeout;
    private final StoreCall<T> verb;

    Call(Core core, Seam.Runner runner, Duration timeout, StoreCall<T> verb) {
      this.core = core;
      this.runner = runner;
      this.timeout = timeout;
      this.verb = verb;
    }

    @Override
    void carryOut() {
      core.seam.call(runner, timeout, this, this::answered, this::failed);
    }

    @Override
    public T call(Deadline deadline) {
      return verb.send(core.backend, deadline);
    }

    private void answered(T value) {
      core.run(new StoreCall.AnswerStep<>(verb, value));
    }

    private void failed(RuntimeException failure) {
      core.run(new StoreCall.FailureStep(verb, failure));
    }
  }

  /** Has a step run in a turn of its own after a delay. */
  @GuardedBy("lock")
  public Seam.Timer after(long delayNanos, Step step) {
    return core.seam.after(Math.max(0, delayNanos), () -> core.run(step));
  }

  /** Completes a future after this turn: what waits for it runs without the lock. */
  @GuardedBy("lock")
  public <T> void complete(CompletableFuture<T> future, T value) {
    then(new Completion<>(future, value));
  }

  /** One object, as every acquire needs one. */
  private static final class Completion<T> extends Effect {
    private final CompletableFuture<T> future;
    private final T value;

    Completion(CompletableFuture<T> future, T value) {
      this.future = future;
      this.value = value;
    }

    @Override
    void carryOut() {
      boolean unused = future.complete(value); // It may be complete by now.
    }
  }

  /** Tells a listener of the application's something after this turn. */
  @GuardedBy("lock")
  public void tell(Object listener, Runnable notification) {
    then(() -> core.seam.tell(listener, notification));
  }

  /** Carries out a signal of the engine's own after this turn; it never waits. */
  @GuardedBy("lock")
  public void signal(Object whom, Runnable signal) {
    then(() -> core.seam.signal(whom, signal));
  }

  /** Tells the listener of a watch something after this turn. */
  @GuardedBy("lock")
  public void tellOfWatch(Object listener, Runnable notification) {
    then(() -> core.seam.tellOfWatch(listener, notification));
  }

  /** Tells operators, by the log and the listeners. */
  @GuardedBy("lock")
  public void emit(LockEvent event) {
    log(level(event), event);
    for (Consumer<LockEvent> listener : core.settings.listeners()) {
      then(() -> core.seam.tellOfEvent(listener, () -> listener.accept(event)));
    }
  }

  private static Level level(LockEvent event) {
    if (event instanceof LockEvent.SessionOpened || event instanceof LockEvent.SessionClosed) {
      return Level.DEBUG;
    }
    boolean recovered =
        event instanceof LockEvent.SessionStateChanged changed && changed.to() == SessionState.SAFE;
    return recovered ? Level.INFO : Level.WARN;
  }

  /**
   * Logs after this turn.
   *
   * @param message becomes text only if it is logged
   */
  @GuardedBy("lock")
  public void log(Level level, Object message) {
    then(() -> core.log(level, message));
  }

  /** Fails after this turn, but not before everything else of it is done. */
  @GuardedBy("lock")
  public void fail(Throwable failure) {
    then(
        () -> {
          throw new IllegalStateException("A turn failed halfway", failure);
        });
  }

  /**
   * Does what was noted, in that order, on this thread. One effect that fails does not keep the
   * others from being done: a thread waits for each.
   */
  public void carryOut() {
    assert !lock.isHeldByCurrentThread();
    Optional<RuntimeException> failed = Optional.empty();
    for (Effect effect = first; effect != null; effect = effect.next) {
      try {
        effect.carryOut();
      } catch (RuntimeException | Error e) {
        core.logUnexpected(e);
        failed = Optional.of(new IllegalStateException("Unexpected failure in the engine", e));
      }
    }
    if (failed.isPresent()) {
      throw failed.get();
    }
  }
}
