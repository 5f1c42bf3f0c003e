package io.holdfast.engine;

import io.holdfast.LockEvent;
import io.holdfast.SessionState;
import io.holdfast.engine.Seam.Lane;
import io.holdfast.engine.Seam.Timer;
import io.holdfast.engine.Seam.Verb;
import io.holdfast.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What the parts of one client share: the store, the seam, and one lock around all state.
 *
 * <p>State changes in a <em>turn</em>. Whatever reaches outside (a call to the store, a completed
 * future, an event) is put off with {@link #then} until the turn is over, so the lock is held for
 * moments only and never while somebody else's code runs. Methods of the engine's classes are
 * called in a turn unless they say otherwise.
 */
final class Core {

  /** The deadline of every call but a heartbeat. */
  static final Duration CALL_TIMEOUT = Duration.ofSeconds(5);

  private final Logger log = LoggerFactory.getLogger("io.holdfast");

  final CheckedBackend backend;
  final Seam seam;
  final Clocks clocks;
  final EngineSettings settings;

  /** The store has said that no hints are to be had from it here, whatever it can do elsewhere. */
  boolean neverHints;

  /** Fair: a heartbeat must have its turn however busy the application's threads are. */
  private final ReentrantLock lock = new ReentrantLock(true);

  private final Turn turn = new Turn();
  private List<Runnable> effects = new ArrayList<>();

  Core(LockBackend backend, Seam seam, EngineSettings settings) {
    this.backend = new CheckedBackend(backend);
    this.seam = seam;
    this.clocks = new Clocks(seam);
    this.settings = settings;
  }

  /** Begins a turn; its end runs the effects on this thread, in the order they were put off. */
  Turn turn() {
    lock.lock();
    return turn;
  }

  /** Puts something off until the turn is over. */
  void then(Runnable effect) {
    assert lock.isHeldByCurrentThread();
    effects.add(effect);
  }

  /** Calls the store after this turn; the answer comes in a turn of its own. */
  <T> void call(
      Lane lane,
      Duration timeout,
      Verb<T> verb,
      Consumer<T> onValue,
      Consumer<RuntimeException> onFailure) {
    then(() -> seam.call(lane, timeout, verb, inTurn(onValue), inTurn(onFailure)));
  }

  /** Runs a task in a turn after a delay. */
  Timer after(long delayNanos, Runnable task) {
    return seam.after(
        Math.max(0, delayNanos),
        () -> {
          try (Turn timed = turn()) {
            task.run();
          }
        });
  }

  /** Tells operators, by the log and the listeners. */
  void emit(LockEvent event) {
    log(level(event), event.toString());
    for (Consumer<LockEvent> listener : settings.listeners()) {
      tell(listener, () -> listener.accept(event));
    }
  }

  /** Logs after this turn, and not on a thread of the engine's: an appender may block. */
  void log(Level level, String message) {
    tell(log, () -> log.atLevel(level).log("{}: {}", backend.describe(), message));
  }

  /** Tells a listener of the application's something after this turn. */
  void tell(Object listener, Runnable notification) {
    then(() -> seam.tell(listener, notification));
  }

  private static Level level(LockEvent event) {
    if (event instanceof LockEvent.SessionOpened || event instanceof LockEvent.SessionClosed) {
      return Level.DEBUG;
    }
    boolean recovered =
        event instanceof LockEvent.SessionStateChanged changed && changed.to() == SessionState.SAFE;
    return recovered ? Level.INFO : Level.WARN;
  }

  private <T> Consumer<T> inTurn(Consumer<T> consumer) {
    return value -> {
      try (Turn answered = turn()) {
        consumer.accept(value);
      }
    };
  }

  /** The holding of the lock around all state. */
  final class Turn implements AutoCloseable {
    private Turn() {}

    @Override
    public void close() {
      if (lock.getHoldCount() > 1 || effects.isEmpty()) {
        lock.unlock();
        return;
      }
      // From here on this list is this thread's alone: others put their effects into a new one.
      List<Runnable> due = effects;
      effects = new ArrayList<>();
      lock.unlock();
      runAll(due);
    }

    /** One effect that fails must not swallow the others: somebody waits for each. */
    private void runAll(List<Runnable> due) {
      Optional<RuntimeException> failed = Optional.empty();
      for (Runnable effect : due) {
        try {
          effect.run();
        } catch (RuntimeException | Error e) {
          seam.tell(
              log, () -> log.error("{}: unexpected failure in the engine", backend.describe(), e));
          failed = Optional.of(new IllegalStateException("Unexpected failure in the engine", e));
        }
      }
      if (failed.isPresent()) {
        throw failed.get();
      }
    }
  }
}
