package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockName;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.event.Level;

/**
 * The store's hints to one session, asked for when it first waits, and again with the heartbeats
 * while there are none. A hint only says "look": one that is lost costs time, as the heartbeat
 * looks anyway.
 */
final class Hints {

  /**
   * A store's reason to refuse hints may pass: a permission is granted, a fail-over ends. Meanwhile
   * waiters poll, which costs a store more than to be asked now and then.
   */
  private static final long REFUSED_NANOS = Duration.ofMinutes(5).toNanos();

  private final Core core;
  private final Session session;
  private Optional<Stream> stream = Optional.empty();

  Hints(Core core, Session session) {
    this.core = core;
    this.session = session;
  }

  /** Whether waiters are told, or have to ask. */
  @GuardedBy("turn.lock")
  Wakeup wakeup(Turn turn) {
    return stream.isPresent() && stream.get().handle.isPresent() ? Wakeup.PUSH : Wakeup.POLL;
  }

  @GuardedBy("turn.lock")
  void listen(Turn turn) {
    OptionalLong refused = core.hintsRefusedUntilNanos;
    boolean isRefused = refused.isPresent() && refused.getAsLong() - core.seam.nanos() > 0;
    if (stream.isPresent() || isRefused || core.backend.capabilities().wakeup() != Wakeup.PUSH) {
      return;
    }
    Stream asked = new Stream();
    stream = Optional.of(asked);
    turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, asked);
  }

  @GuardedBy("turn.lock")
  void stop(Turn turn) {
    if (stream.isPresent()) {
      stream.get().leave(turn);
    }
  }

  /** One call for hints and the stream that it has led to. Hinted on any thread. */
  private final class Stream implements StoreCall<AutoCloseable>, HintListener {
    private Optional<AutoCloseable> handle = Optional.empty();
    private boolean ended;

    @Override
    public AutoCloseable send(CheckedBackend store, Deadline deadline) {
      AutoCloseable opened = store.listen(session.id, this, deadline);
      keep(opened);
      return opened;
    }

    /** An answer that comes after the call was given up reaches no caller: it is kept here. */
    private void keep(AutoCloseable opened) {
      Turn turn = core.turn();
      turn.lock.lock();
      try {
        if (ended || session.isOver()) {
          turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, new StopStream(opened));
        } else {
          handle = Optional.of(opened);
        }
      } finally {
        turn.lock.unlock();
      }
      turn.carryOut();
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(AutoCloseable opened, Turn turn) {
      core.hintsRefusedUntilNanos = OptionalLong.empty();
      if (handle.isPresent()) {
        session.poller.hintedAll(turn); // Hints of an earlier time are lost.
      }
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      boolean isKnown = core.hintsRefusedUntilNanos.isPresent();
      if (failure instanceof BackendUnusableException) {
        core.hintsRefusedUntilNanos = OptionalLong.of(core.seam.nanos() + REFUSED_NANOS);
      }
      turn.log(
          isKnown ? Level.DEBUG : Level.WARN,
          "no hints, so waiters poll: " + Failures.describe(failure));
      leave(turn);
    }

    @Override
    public void accept(LockName name) {
      Turn turn = core.turn();
      turn.lock.lock();
      try {
        session.poller.hinted(name, turn);
      } finally {
        turn.lock.unlock();
      }
      turn.carryOut();
    }

    @Override
    public void ended() {
      Turn turn = core.turn();
      turn.lock.lock();
      try {
        leave(turn);
      } finally {
        turn.lock.unlock();
      }
      turn.carryOut();
    }

    @GuardedBy("turn.lock")
    void leave(Turn turn) {
      if (ended) {
        return;
      }
      ended = true;
      stream = Optional.empty();
      if (handle.isPresent()) {
        turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, new StopStream(handle.get()));
      }
      handle = Optional.empty();
      session.poller.hintedAll(turn); // From now on waiters have to ask.
    }
  }

  /** Stops a stream of hints; tells what went wrong, if anything did. */
  private static final class StopStream implements StoreCall<Optional<Exception>> {
    private final AutoCloseable handle;

    StopStream(AutoCloseable handle) {
      this.handle = handle;
    }

    @Override
    public Optional<Exception> send(CheckedBackend store, Deadline deadline) {
      try {
        handle.close();
        return Optional.empty();
      } catch (Exception e) {
        return Optional.of(e);
      }
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Optional<Exception> trouble, Turn turn) {
      if (trouble.isPresent()) {
        turn.log(Level.DEBUG, "stopping hints: " + trouble.get());
      }
    }

    @Override
    public void failed(RuntimeException failure, Turn turn) {}
  }
}
