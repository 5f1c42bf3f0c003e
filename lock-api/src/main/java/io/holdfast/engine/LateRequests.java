package io.holdfast.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.AcquireOptions;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.session.Departure;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Resumed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Takes out the requests that turn up late in a resumed session: a grab of the earlier life may
 * have hung in the store while that life ended. No part of this client knows it, so it would keep
 * its lock for as long as the session lives. The session's requests are read again after a third of
 * its TTL, then ever more seldom, since that can cost a store much. All but those held here are
 * taken out.
 */
final class LateRequests implements StoreCall<Optional<Resumed>>, Turn.Step {

  private static final long PAUSE_MAX_NANOS = Duration.ofHours(1).toNanos();

  private final Core core;
  private final ResumableSessions resumable;
  private final Session session;
  private long pauseNanos;

  /** Requests held when the present call was sent: those being released are still there. */
  private Set<RequestKey> held = Set.of();

  LateRequests(Core core, ResumableSessions resumable, Session session) {
    this.core = core;
    this.resumable = resumable;
    this.session = session;
    this.pauseNanos = session.ttl().toNanos() / 3;
  }

  @GuardedBy("turn.lock")
  void begin(Turn turn) {
    turn.after(pauseNanos, this);
  }

  @Override
  @GuardedBy("turn.lock")
  public void run(Turn turn) {
    if (!session.isOver()) {
      held = session.held(turn);
      turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, this);
    }
  }

  @Override
  public Optional<Resumed> send(CheckedBackend store, Deadline deadline) {
    return resumable.resume(session.id, deadline);
  }

  @Override
  @GuardedBy("turn.lock")
  public void answered(Optional<Resumed> found, Turn turn) {
    if (session.isOver()) {
      return;
    }
    for (RequestKey key : found.map(Resumed::requests).orElse(List.of())) {
      if (!held.contains(key)) {
        session.withdraw(Departure.atOnce(core, key, AcquireOptions.STAY_MAX), turn);
      }
    }
    pauseNanos = Math.min(2 * pauseNanos, PAUSE_MAX_NANOS);
    begin(turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void failed(RuntimeException failure, Turn turn) {
    begin(turn);
  }
}
