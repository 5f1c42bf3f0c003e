package io.holdfast.engine;

import io.holdfast.LockName;
import io.holdfast.engine.Core.Turn;
import io.holdfast.engine.Seam.Lane;
import io.holdfast.spi.Capabilities.Wakeup;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The store's hints to one session, asked for when it first waits. A hint only says "look": one
 * that is lost costs time, as the heartbeat looks anyway.
 */
final class Hints {

  private final Core core;
  private final Session session;
  private boolean listening;
  private Optional<AutoCloseable> handle = Optional.empty();

  Hints(Core core, Session session) {
    this.core = core;
    this.session = session;
  }

  void listen() {
    if (listening || core.backend.capabilities().wakeup() != Wakeup.PUSH) {
      return;
    }
    listening = true;
    core.call(
        Lane.BACKGROUND,
        Core.CALL_TIMEOUT,
        deadline -> core.backend.listen(session.id, this::hinted),
        opened -> {
          handle = Optional.of(opened);
          if (session.isOver()) {
            stop();
          }
          look(request -> true); // What was hinted before is lost.
        },
        failure -> {
          listening = false; // The heartbeats serve, and ask for them again.
          core.log.warn("{}: no hints: {}", core.backend.describe(), Failures.describe(failure));
        });
  }

  /** Called by the adapter, on any thread. */
  private void hinted(LockName name) {
    try (Turn hinted = core.turn()) {
      look(request -> request.key().name().equals(name));
    }
  }

  private void look(Predicate<PendingRequest> which) {
    long now = core.seam.nanos();
    session.pending.values().stream()
        .filter(PendingRequest::isQueued)
        .filter(which)
        .forEach(request -> request.pace().lookNow(now));
    session.lookout.schedule();
  }

  void stop() {
    handle.ifPresent(this::close);
    handle = Optional.empty();
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
