package io.holdfast.engine;

import io.holdfast.BackendUnusableException;
import io.holdfast.LockName;
import io.holdfast.engine.Core.Turn;
import io.holdfast.engine.Seam.Lane;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.HintListener;
import java.util.Optional;
import org.slf4j.event.Level;

/**
 * The store's hints to one session, asked for when it first waits, and again with the heartbeats
 * while there are none. A hint only says "look": one that is lost costs time, as the heartbeat
 * looks anyway.
 */
final class Hints {

  private final Core core;
  private final Session session;
  private Optional<Stream> stream = Optional.empty();

  Hints(Core core, Session session) {
    this.core = core;
    this.session = session;
  }

  /** Whether those who wait are told, or have to ask. */
  Wakeup wakeup() {
    return stream.filter(Stream::hasBegun).isPresent() ? Wakeup.PUSH : Wakeup.POLL;
  }

  void listen() {
    if (stream.isPresent()
        || core.neverHints
        || core.backend.capabilities().wakeup() != Wakeup.PUSH) {
      return;
    }
    Stream asked = new Stream();
    stream = Optional.of(asked);
    core.call(
        Lane.BACKGROUND,
        Core.CALL_TIMEOUT,
        deadline -> asked.keep(core.backend.listen(session.id, asked, deadline)),
        kept -> asked.begun(),
        failure -> {
          core.neverHints |= failure instanceof BackendUnusableException;
          core.log(Level.WARN, "no hints, so waiters poll: " + Failures.describe(failure));
          asked.leave();
        });
  }

  void stop() {
    stream.ifPresent(Stream::leave);
  }

  /** What one call for hints has led to. Told by the adapter, on any thread. */
  private final class Stream implements HintListener {
    private Optional<AutoCloseable> handle = Optional.empty();
    private boolean ended;

    boolean hasBegun() {
      return handle.isPresent();
    }

    /** Needs no turn. An answer that comes after the call was given up is told to nobody else. */
    AutoCloseable keep(AutoCloseable opened) {
      try (Turn answered = core.turn()) {
        if (ended || session.isOver()) {
          close(opened);
        } else {
          handle = Optional.of(opened);
        }
      }
      return opened;
    }

    void begun() {
      if (hasBegun()) {
        session.lookout.hintedAll(); // What was hinted before is lost.
      }
    }

    @Override
    public void accept(LockName name) {
      try (Turn hinted = core.turn()) {
        session.lookout.hinted(name);
      }
    }

    @Override
    public void ended() {
      try (Turn told = core.turn()) {
        leave();
      }
    }

    void leave() {
      if (ended) {
        return;
      }
      ended = true;
      stream = Optional.empty();
      handle.ifPresent(this::close);
      handle = Optional.empty();
      session.lookout.hintedAll(); // From now on they have to ask.
    }

    private void close(AutoCloseable closing) {
      core.call(
          Lane.BACKGROUND,
          Core.CALL_TIMEOUT,
          deadline -> {
            try {
              closing.close();
              return Optional.<Exception>empty();
            } catch (Exception e) {
              return Optional.of(e);
            }
          },
          trouble -> trouble.ifPresent(e -> core.log(Level.DEBUG, "stopping hints: " + e)),
          failure -> {});
    }
  }
}
