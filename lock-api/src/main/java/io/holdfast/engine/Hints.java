package io.holdfast.engine;

import io.holdfast.BackendUnusableException;
import io.holdfast.LockName;
import io.holdfast.engine.Core.Turn;
import io.holdfast.engine.Seam.Lane;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.HintListener;
import java.util.Optional;
import java.util.function.Predicate;

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
        deadline -> core.backend.listen(session.id, asked, deadline),
        asked::begun,
        failure -> {
          core.neverHints |= failure instanceof BackendUnusableException;
          core.log.warn(
              "{}: no hints, so waiters poll: {}",
              core.backend.describe(),
              Failures.describe(failure));
          asked.leave();
        });
  }

  void stop() {
    stream.ifPresent(Stream::leave);
  }

  private void look(Predicate<PendingRequest> which) {
    long now = core.seam.nanos();
    session.pending.values().stream()
        .filter(PendingRequest::isQueued)
        .filter(which)
        .forEach(request -> request.pace().lookNow(now));
    session.lookout.schedule();
  }

  /** What one call for hints has led to. Told by the adapter, on any thread. */
  private final class Stream implements HintListener {
    private Optional<AutoCloseable> handle = Optional.empty();
    private boolean ended;

    boolean hasBegun() {
      return handle.isPresent();
    }

    void begun(AutoCloseable opened) {
      if (ended || session.isOver()) {
        close(opened);
        return;
      }
      handle = Optional.of(opened);
      look(request -> true); // What was hinted before is lost.
    }

    @Override
    public void accept(LockName name) {
      try (Turn hinted = core.turn()) {
        look(request -> request.key().name().equals(name));
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
      look(request -> true); // From now on they have to ask.
    }

    private void close(AutoCloseable closing) {
      core.call(
          Lane.BACKGROUND,
          Core.CALL_TIMEOUT,
          deadline -> {
            try {
              closing.close();
            } catch (Exception e) {
              core.log.debug("{}: stopping hints: {}", core.backend.describe(), e.toString());
            }
            return true;
          },
          done -> {},
          failure -> {});
    }
  }
}
