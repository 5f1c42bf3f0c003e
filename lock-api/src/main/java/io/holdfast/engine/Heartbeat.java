package io.holdfast.engine;

import io.holdfast.LockEvent;
import io.holdfast.LossReason;
import io.holdfast.RequestId;
import io.holdfast.SessionState;
import io.holdfast.engine.Lease.Stamp;
import io.holdfast.engine.Seam.Lane;
import io.holdfast.engine.Seam.Timer;
import io.holdfast.spi.Notice;
import io.holdfast.spi.Opened;
import io.holdfast.spi.Renewed;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Keeps one session alive: one renewal per interval, sent anew as soon as one has failed, whatever
 * the failure. Between the answers it watches the lease by this process's clocks.
 */
final class Heartbeat {

  /** Beats without a grant or a wait after which a session is closed: four TTLs by default. */
  private static final int IDLE_BEATS_MAX = 12;

  /** So often are the clocks compared between two beats: three times a second by default. */
  private static final int TICKS_PER_BEAT = 16;

  private static final long TICK_MIN_NANOS = 5_000_000;

  private final Core core;
  private final Session session;
  private Reading storeClock;
  private Timer nextBeat = () -> {};
  private Timer nextWatch = () -> {};
  private Timer nextTick = () -> {};
  private boolean underWay;
  private boolean stopped;
  private int idleBeats;
  private long jeopardySinceNanos;

  Heartbeat(Core core, Session session, Stamp sent, Opened opened) {
    this.core = core;
    this.session = session;
    this.storeClock = new Reading(opened.storeTime(), sent, core.clocks.now());
  }

  void begin() {
    beatIn(intervalNanos() - core.clocks.nanosSince(storeClock.sent()));
    watch();
    tick();
  }

  private void tick() {
    if (!stopped) {
      core.clocks.tick();
      nextTick = core.after(Math.max(intervalNanos() / TICKS_PER_BEAT, TICK_MIN_NANOS), this::tick);
    }
  }

  private long intervalNanos() {
    return core.settings.heartbeatNanos(session.ttl());
  }

  void stop() {
    stopped = true;
    nextBeat.cancel();
    nextWatch.cancel();
    nextTick.cancel();
  }

  /** Renews at once, unless a renewal is under way. */
  void beatNow() {
    if (!underWay && !stopped) {
      beatIn(0);
    }
  }

  private void beatIn(long delayNanos) {
    nextBeat.cancel();
    nextBeat = core.after(delayNanos, this::beat);
  }

  private void beat() {
    if (stopped || underWay) {
      return;
    }
    idleBeats = session.isIdle() ? idleBeats + 1 : 0;
    if (idleBeats > IDLE_BEATS_MAX) {
      session.close();
      return;
    }
    underWay = true;
    core.call(
        Lane.HEARTBEAT,
        session.ttl().dividedBy(4),
        deadline -> {
          Stamp sent = core.clocks.now();
          return new Answer(sent, core.backend.renew(session.id, deadline));
        },
        this::answered,
        this::failed);
    session.lookout.lookAtAll();
  }

  private record Answer(Stamp sent, Renewed renewed) {}

  private void answered(Answer answer) {
    underWay = false;
    if (stopped) {
      return;
    }
    if (answer.renewed() instanceof Renewed.Alive alive) {
      // First what was revoked is lost: this renewal extends everything else, but not that.
      alive.notices().forEach(this::notice);
      Lease lease = Lease.of(answer.sent(), alive.ttl(), core.settings.clockRateBound());
      session.renewed(lease, alive.ttl());
      beatIn(intervalNanos() - core.clocks.nanosSince(answer.sent()));
      watch();
      compareClocks(new Reading(alive.storeTime(), answer.sent(), core.clocks.now()));
    } else {
      session.expire(LossReason.SESSION_ENDED, "the store says that the session is over");
    }
  }

  /** Whatever went wrong, the next renewal is sent soon: one that fails must not be the last. */
  private void failed(RuntimeException failure) {
    underWay = false;
    if (stopped) {
      return;
    }
    core.emit(new LockEvent.HeartbeatFailed(session.id, Failures.describe(failure)));
    beatIn(session.ttl().toNanos() / 20);
  }

  /** A revoked grant is lost as soon as it is told; one that is not known is acknowledged. */
  private void notice(Notice notice) {
    if (!(notice instanceof Notice.Revoked revoked)) {
      return;
    }
    RequestId request = revoked.request();
    HeldGrant grant = session.grants.get(request);
    if (grant != null) {
      grant.lose(LossReason.REVOKED);
    } else if (session.pending.containsKey(request)) {
      session.revoked.add(request);
    } else {
      core.call(
          Lane.BACKGROUND,
          Core.CALL_TIMEOUT,
          deadline -> {
            core.backend.acknowledge(request, deadline);
            return request;
          },
          session.revoked::remove,
          failure -> core.emit(new LockEvent.HeartbeatFailed(session.id, failure.toString())));
    }
  }

  /**
   * What the store's clock showed at some moment between two of this process.
   *
   * @param store what it showed, if it has a clock to tell
   * @param sent when it was asked for
   * @param answered when it was told
   */
  private record Reading(Optional<Instant> store, Stamp sent, Stamp answered) {
    Duration doubt() {
      return Duration.ofNanos(answered.nanos() - sent.nanos());
    }
  }

  /**
   * Tells when the store's clock jumps: a step above the namespace's bound can cost exclusivity.
   * Where this machine's clocks disagree because it slept or its wall clock was set, the one that
   * agrees with the store is right.
   */
  private void compareClocks(Reading now) {
    Reading before = storeClock;
    storeClock = now;
    if (before.store().isEmpty() || now.store().isEmpty()) {
      return;
    }
    Duration store = Duration.between(before.store().get(), now.store().get());
    Duration own = Duration.ofNanos(now.answered().nanos() - before.answered().nanos());
    Duration wall = Duration.ofMillis(now.answered().wallMillis() - before.answered().wallMillis());
    Duration bound =
        session.opened.namespace().maxClockStep().plus(before.doubt()).plus(now.doubt());
    if (store.minus(own).abs().compareTo(bound) > 0
        && store.minus(wall).abs().compareTo(bound) > 0) {
      core.emit(new LockEvent.ClockSkewed(session.id, store, own));
    }
  }

  private void watchIn(long delayNanos) {
    nextWatch.cancel();
    nextWatch = core.after(delayNanos, this::watch);
  }

  /** Lets the state follow the clocks. */
  private void watch() {
    if (stopped) {
      return;
    }
    long remaining = session.remainingNanos();
    long lateAt = session.ttl().toNanos() / 3;
    if (remaining > lateAt) {
      watchIn(remaining - lateAt);
    } else if (remaining > 0) {
      session.late("a renewal is overdue");
      watchIn(remaining);
    } else {
      watchJeopardy();
    }
  }

  private void watchJeopardy() {
    long now = core.seam.nanos();
    if (session.state() != SessionState.JEOPARDY) {
      jeopardySinceNanos = now;
      session.jeopardy("the lease has run out without a renewal");
      beatNow();
    }
    long graceLeft = jeopardySinceNanos + core.settings.graceNanos(session.ttl()) - now;
    if (graceLeft > 0) {
      watchIn(graceLeft);
    } else {
      session.expire(LossReason.LEASE_EXPIRED, "no renewal succeeded within the grace time");
    }
  }
}
