package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockEvent;
import io.holdfast.SessionState;
import io.holdfast.engine.seam.Lease;
import io.holdfast.engine.seam.Lease.Stamp;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.seam.Seam.Timer;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.LossReason;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;

/**
 * Keeps one session alive: one renewal per interval. After one that has failed in any way, the next
 * follows after a twentieth of the TTL. Between the answers it watches the lease by this process's
 * clocks.
 */
final class Heartbeat {

  /** Beats without a grant or a wait after which a session is closed: four TTLs by default. */
  private static final int IDLE_BEATS_MAX = 12;

  private final Core core;
  private final Session session;
  private final StoreClock storeClock;
  private Timer nextBeat = Timer.NONE;
  private Timer nextWatch = Timer.NONE;
  private Timer nextTick = Timer.NONE;
  private boolean underWay;
  private boolean stopped;
  private int idleBeats;
  private long jeopardySinceNanos;

  Heartbeat(Core core, Session session, Stamp sent, Opened opened) {
    this.core = core;
    this.session = session;
    this.storeClock =
        new StoreClock(
            session.id,
            opened.ttl(),
            opened.namespace().maxClockStep(),
            core.settings.clockRateBound(),
            new StoreClock.Reading(opened.storeTime(), sent, core.clocks.now()));
  }

  @GuardedBy("turn.lock")
  void begin(Stamp opened, Turn turn) {
    beatIn(intervalNanos() - core.clocks.nanosSince(opened), turn);
    followClocks(turn);
    tick(turn);
  }

  @GuardedBy("turn.lock")
  private void tick(Turn turn) {
    if (!stopped) {
      core.clocks.tick();
      nextTick = turn.after(core.settings.tickNanos(session.ttl()), new Tick());
    }
  }

  private final class Tick implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      session.requests.reviewKept(turn);
      tick(turn);
    }
  }

  private long intervalNanos() {
    return core.settings.heartbeatNanos(session.ttl());
  }

  @GuardedBy("turn.lock")
  void stop(Turn turn) {
    stopped = true;
    nextBeat.cancel();
    nextWatch.cancel();
    nextTick.cancel();
  }

  /** Renews at once, unless a renewal is under way. */
  @GuardedBy("turn.lock")
  void beatNow(Turn turn) {
    if (!underWay && !stopped) {
      beatIn(0, turn);
    }
  }

  @GuardedBy("turn.lock")
  private void beatIn(long delayNanos, Turn turn) {
    nextBeat.cancel();
    nextBeat = turn.after(delayNanos, new Beat());
  }

  private final class Beat implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      beat(turn);
    }
  }

  @GuardedBy("turn.lock")
  private void beat(Turn turn) {
    if (stopped || underWay) {
      return;
    }
    idleBeats = isIdle(turn) ? idleBeats + 1 : 0;
    if (idleBeats > IDLE_BEATS_MAX) {
      if (!session.withdrawsDelayed(turn)) {
        session.close(turn);
        return;
      }
      session.retire(turn); // Withdrawn requests are looked for no more, so nothing else begins.
    }
    underWay = true;
    turn.call(Runner.HEARTBEAT, session.ttl().dividedBy(4), new Renewal());
    session.poller.lookAtAll(turn);
  }

  /**
   * A request that is being given back does not keep the session: the session's end frees all that
   * cannot be released. But that end would also end a least time, and begin a lock-delay.
   */
  @GuardedBy("turn.lock")
  private boolean isIdle(Turn turn) {
    return session.isIdle(turn)
        && session.beingWithdrawn(turn).stream().noneMatch(Departure::keepsTheSession);
  }

  private record Answer(Stamp sent, Renewed renewed) {}

  private final class Renewal implements StoreCall<Answer> {
    /** The lease counts from the moment before this very call was sent. */
    @Override
    public Answer send(CheckedBackend store, Deadline deadline) {
      Stamp sent = core.clocks.now();
      return new Answer(sent, store.renew(session.id, deadline));
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(Answer answer, Turn turn) {
      underWay = false;
      if (stopped) {
        return;
      }
      if (answer.renewed() instanceof Renewed.Alive alive) {
        renewed(answer.sent(), alive, turn);
      } else {
        session.expire(LossReason.SESSION_ENDED, "the store says that the session is over", turn);
      }
    }

    /** After any failure the next renewal is sent soon: one that fails must not be the last. */
    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      underWay = false;
      if (stopped) {
        return;
      }
      turn.emit(new LockEvent.HeartbeatFailed(session.id, Failures.describe(failure)));
      beatIn(session.ttl().toNanos() / 20, turn);
    }
  }

  @GuardedBy("turn.lock")
  private void renewed(Stamp sent, Renewed.Alive alive, Turn turn) {
    // First the revoked grants are lost: this renewal extends everything else, but not them.
    for (Notice notice : alive.notices()) {
      if (notice instanceof Notice.Revoked revoked) {
        revoked(revoked, sent, turn);
      }
    }
    Lease lease = Lease.of(sent, alive.ttl(), core.settings.clockRateBound());
    session.renewed(lease, alive.ttl(), turn);
    beatIn(intervalNanos() - core.clocks.nanosSince(sent), turn);
    followClocks(turn);
    storeClock.reads(new StoreClock.Reading(alive.storeTime(), sent, core.clocks.now()), turn);
  }

  /**
   * A revoked grant is lost as soon as it is told, or when its notice is over, which counts from
   * the sending of the renewal that told of it; one that is not known is acknowledged.
   */
  @GuardedBy("turn.lock")
  private void revoked(Notice.Revoked revoked, Stamp sent, Turn turn) {
    RequestId request = revoked.request();
    SessionHold hold = session.requests.holds.get(request);
    if (hold != null) {
      Lease left = Lease.of(sent, revoked.left(), core.settings.clockRateBound());
      long leftNanos = left.remainingNanos(core.clocks);
      if (leftNanos > 0) {
        hold.revokedIn(leftNanos, turn);
      } else {
        hold.revoked(turn);
      }
    } else if (session.requests.pending.containsKey(request)) {
      session.requests.revoked.add(request);
    } else {
      turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, new Acknowledgement(request));
    }
  }

  /** Tells the store that the holder has given up a revoked request. */
  private final class Acknowledgement implements StoreCall<RequestId> {
    private final RequestId request;

    Acknowledgement(RequestId request) {
      this.request = request;
    }

    @Override
    public RequestId send(CheckedBackend store, Deadline deadline) {
      store.acknowledge(request, deadline);
      return request;
    }

    @Override
    @GuardedBy("turn.lock")
    public void answered(RequestId acknowledged, Turn turn) {
      session.requests.revoked.remove(acknowledged);
    }

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      turn.emit(new LockEvent.HeartbeatFailed(session.id, failure.toString()));
    }
  }

  @GuardedBy("turn.lock")
  private void watchIn(long delayNanos, Turn turn) {
    nextWatch.cancel();
    nextWatch = turn.after(delayNanos, new Watch());
  }

  private final class Watch implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      followClocks(turn);
    }
  }

  /** Lets the state follow the clocks. */
  @GuardedBy("turn.lock")
  private void followClocks(Turn turn) {
    if (stopped) {
      return;
    }
    long remaining = session.remainingNanos();
    long lateAt = session.ttl().toNanos() / 3;
    if (remaining > lateAt) {
      watchIn(remaining - lateAt, turn);
    } else if (remaining > 0) {
      session.late("a renewal is overdue", turn);
      watchIn(remaining, turn);
    } else {
      watchJeopardy(turn);
    }
  }

  @GuardedBy("turn.lock")
  private void watchJeopardy(Turn turn) {
    long now = core.seam.nanos();
    if (session.state() != SessionState.JEOPARDY) {
      jeopardySinceNanos = now;
      session.jeopardy("the lease has run out without a renewal", turn);
      beatNow(turn);
    }
    long graceLeft = jeopardySinceNanos + core.settings.graceNanos(session.ttl()) - now;
    if (graceLeft > 0) {
      watchIn(graceLeft, turn);
    } else {
      session.graceIsOver(turn);
    }
  }
}
