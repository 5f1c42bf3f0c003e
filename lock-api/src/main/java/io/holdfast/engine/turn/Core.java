package io.holdfast.engine.turn;

import io.holdfast.engine.seam.Clocks;
import io.holdfast.engine.seam.Seam;
import io.holdfast.spi.LockBackend;
import java.time.Duration;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Shared by the parts of one client: the store, the seam, and the lock around all state. */
public final class Core {

  /** The deadline of every call but a heartbeat. */
  public static final Duration CALL_TIMEOUT = Duration.ofSeconds(5);

  public final Logger log = LoggerFactory.getLogger("io.holdfast");

  public final CheckedBackend backend;
  public final Seam seam;
  public final Clocks clocks;
  public final EngineSettings settings;

  /**
   * Until when this client does not ask for hints, as the store has refused them; empty if it has
   * not. Guarded by the turn.
   */
  public OptionalLong hintsRefusedUntilNanos = OptionalLong.empty();

  private final TurnLock lock = new TurnLock();

  public Core(LockBackend backend, Seam seam, EngineSettings settings) {
    this.backend = new CheckedBackend(backend);
    this.seam = seam;
    this.clocks = new Clocks(seam);
    this.settings = settings;
  }

  /** Returns a turn that has not begun: it is one while its lock is held. */
  public Turn turn() {
    return new Turn(this, lock);
  }

  /** Runs a step in a turn of its own, and then what the turn has noted. */
  public void run(Turn.Step step) {
    Turn turn = turn();
    turn.lock.lock();
    try {
      step.run(turn);
    } catch (RuntimeException | Error e) {
      turn.fail(e);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  /** Logs on a thread that the engine needs for nothing else: an appender may block. */
  public void log(Level level, Object message) {
    seam.tellOfEvent(log, () -> log.atLevel(level).log("{}: {}", backend.describe(), message));
  }

  /** Needs no turn. */
  public void logUnexpected(Throwable failure) {
    seam.tellOfEvent(
        log, () -> log.error("{}: unexpected failure in the engine", backend.describe(), failure));
  }
}
