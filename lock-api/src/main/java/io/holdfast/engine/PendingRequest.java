package io.holdfast.engine;

import static java.util.Objects.requireNonNull;

import io.holdfast.AcquireOptions;
import io.holdfast.Holder;
import io.holdfast.Liveness;
import io.holdfast.LockEvent;
import io.holdfast.LockMode;
import io.holdfast.LockQueueFullException;
import io.holdfast.LockRecord;
import io.holdfast.LossReason;
import io.holdfast.engine.Seam.Lane;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Contention;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One wish of a gate on its way to a grant: it finds a session, grabs, waits in the store's queue,
 * and starts again with a new request when its session is over. It ends when it is granted,
 * refused, failed, or nobody wants it any more; in the last case it is withdrawn from the store.
 *
 * <p>The rule about lost replies: a grab is repeated under the same request id, and a request that
 * was left while a copy of a grab may still be on its way is {@link Session#unsettle unsettled}.
 */
final class PendingRequest {

  /** No call has a shorter deadline: one that takes longer than this tells of trouble. */
  static final Duration CALL_TIMEOUT_MIN = Duration.ofMillis(500);

  private static final long PAUSE_MIN_NANOS = 20_000_000;
  private static final long PAUSE_MAX_NANOS = 1_000_000_000;

  /** Makes numbers that follow each other, as those of one session's requests do, lie far apart. */
  private static final long SCATTER = 0x9E37_79B9_7F4A_7C15L;

  /**
   * How many dead holders in a row one attempt removes, and how many sessions it survives; a wait
   * goes on after a pause.
   */
  private static final int PERSISTENCE = 8;

  private enum Phase {
    /** Waiting for a session. */
    OPENING,
    /** A grab or overtake is under way. */
    GRABBING,
    /** Will grab again after a pause. */
    PAUSING,
    /** In the store's queue. */
    QUEUED,
    /** Granted while the lease is not in force. */
    GRANTED_IN_JEOPARDY,
    /** Granted, refused, failed or withdrawn. */
    DONE
  }

  private final Core core;
  private final Gate gate;
  private final Duration ttl;
  private final IfHeld ifHeld;
  private final AcquireOptions options;

  private Phase phase = Phase.OPENING;
  private @Nullable Session session;
  private @Nullable Request request;
  private Pace pace;
  private Attempt.Granted granted = new Attempt.Granted(0, Instant.EPOCH, Contention.NOT_KNOWN);
  private Optional<RuntimeException> trouble = Optional.empty();
  private Optional<String> seen = Optional.empty();
  private boolean unwanted;
  private boolean ambiguous;
  private boolean overtaking;
  private boolean clearing;
  private long clearNotBeforeNanos;
  private int restarts;
  private int dislodged;
  private long pauseNanos = PAUSE_MIN_NANOS;
  private long askedNanos;

  PendingRequest(Core core, Gate gate, Ticket ticket) {
    this.core = core;
    this.gate = gate;
    this.options = ticket.options;
    this.ttl = ticket.ttl;
    this.ifHeld = ticket.isOnce() ? IfHeld.REFUSE : IfHeld.QUEUE;
    this.pace = new Pace(0);
    this.clearNotBeforeNanos = core.seam.nanos();
  }

  /** Whether a ticket may go on with this request, which has published its payload with it. */
  boolean serves(Ticket ticket) {
    return ttl.equals(ticket.ttl)
        && ticket.isOnce() == (ifHeld == IfHeld.REFUSE)
        && options.payload().equals(ticket.options.payload());
  }

  boolean isQueued() {
    return phase == Phase.QUEUED;
  }

  Request request() {
    return requireNonNull(request);
  }

  RequestKey key() {
    return request().key();
  }

  Pace pace() {
    return pace;
  }

  /** The failure that the last call ended with, if it did. */
  Optional<RuntimeException> trouble() {
    return trouble;
  }

  /** For how long a call has been under way that it cannot do without, if one is. */
  Optional<Duration> unansweredFor() {
    return phase == Phase.OPENING || phase == Phase.GRABBING
        ? Optional.of(Duration.ofNanos(core.seam.nanos() - askedNanos))
        : Optional.empty();
  }

  /** What is known of the reason why it is not granted, for people. */
  Optional<String> seen() {
    return seen;
  }

  void start(Lane lane) {
    leaveQueue(Phase.OPENING);
    askedNanos = core.seam.nanos();
    session = null;
    request = null;
    ambiguous = false;
    overtaking = false;
    gate.sessions.use(ttl, gate.name, lane, this::grabUnder, this::openingFailed);
  }

  private void grabUnder(Session opened, Lane lane) {
    if (unwanted) {
      phase = Phase.DONE;
      return;
    }
    session = opened;
    request =
        new Request(
            gate.name,
            opened.nextRequest(),
            LockMode.EXCLUSIVE,
            ifHeld,
            core.settings.process(),
            options.why(),
            options.payload());
    opened.pending.put(request.id(), this);
    grab(lane);
  }

  private void openingFailed(RuntimeException failure) {
    if (unwanted) {
      phase = Phase.DONE;
    } else if (ifHeld == IfHeld.REFUSE || !Failures.mayPass(failure)) {
      fail(failure);
    } else {
      pause(failure, () -> start(Lane.BACKGROUND));
    }
  }

  private void grab(Lane lane) {
    phase = Phase.GRABBING;
    askedNanos = core.seam.nanos();
    Request grabbed = request();
    core.call(
        lane,
        timeout(lane),
        deadline -> core.backend.grab(grabbed, deadline),
        attempt -> answered(lane, grabbed, attempt),
        failure -> grabFailed(grabbed, failure));
  }

  /**
   * The caller's own thread cannot leave a call, so its deadline is about the caller's patience.
   * Elsewhere it is not: others, more patient, may have come to want the same request.
   */
  private Duration timeout(Lane lane) {
    Duration wish = options.patience().filter(p -> !p.isZero()).orElse(Core.CALL_TIMEOUT);
    if (lane != Lane.CALLER || wish.compareTo(Core.CALL_TIMEOUT) >= 0) {
      return Core.CALL_TIMEOUT;
    }
    return wish.compareTo(CALL_TIMEOUT_MIN) < 0 ? CALL_TIMEOUT_MIN : wish;
  }

  private boolean isStale(Request answered) {
    return phase != Phase.GRABBING || !answered.equals(request);
  }

  private void answered(Lane lane, Request grabbed, Attempt attempt) {
    if (isStale(grabbed)) {
      return;
    }
    Session current = requireNonNull(session);
    trouble = Optional.empty();
    if (attempt instanceof Attempt.SessionOver || current.isOver()) {
      current.pending.remove(grabbed.id());
      current.expire(LossReason.SESSION_ENDED, "the store says that the session is over");
      again(lane);
    } else if (attempt instanceof Attempt.Granted grant) {
      granted(grant.number(), grant.since());
    } else if (unwanted) {
      leaveStore(attempt instanceof Attempt.Queued);
    } else if (attempt instanceof Attempt.Queued) {
      phase = Phase.QUEUED;
      pace = new Pace(core.seam.nanos());
      current.waits(this);
    } else if (attempt instanceof Attempt.Refused refused) {
      refused(lane, grabbed, refused.record());
    } else if (attempt instanceof Attempt.QueueFull full) {
      turnedAway(lane, grabbed, full);
    } else if (attempt instanceof Attempt.Delayed delayed) {
      delayed(delayed);
    }
  }

  /**
   * The dead take places too: where the holder counts no more, whoever is kept out clears the queue
   * as if it had been refused.
   */
  private void turnedAway(Lane lane, Request grabbed, Attempt.QueueFull full) {
    core.call(
        lane,
        timeout(lane),
        deadline -> core.backend.inspect(grabbed.name(), deadline),
        seen -> {
          if (isStale(grabbed)) {
            return;
          }
          LockRecord record = seen.orElseGet(() -> LockRecord.unknown(grabbed.name()));
          boolean lives =
              record.holder().filter(held -> held.liveness() == Liveness.LIVE).isPresent();
          if (unwanted) {
            leaveStore(false);
          } else if (lives) {
            leaveStore(false);
            fail(queueFull(full));
          } else {
            refused(lane, grabbed, record);
          }
        },
        failure -> grabFailed(grabbed, failure));
  }

  private LockQueueFullException queueFull(Attempt.QueueFull full) {
    return new LockQueueFullException(
        "The lock \"%s\" at %s has as many waiting requests as may be (%s), so this one was turned away. Ask again later, shorten what is done under the lock, or raise maxWaiters where the store allows it."
            .formatted(gate.publicName(), core.backend.describe(), full.limit()));
  }

  private void again(Lane lane) {
    if (unwanted) {
      phase = Phase.DONE;
    } else if (++restarts <= PERSISTENCE) {
      start(lane);
    } else {
      BackendFailure hopeless =
          new BackendFailure(
              Effect.NONE, "one session after the other ended before the lock was granted", null);
      if (ifHeld == IfHeld.REFUSE) {
        fail(hopeless);
      } else {
        request = null;
        pause(hopeless, () -> start(Lane.BACKGROUND));
      }
    }
  }

  private void refused(Lane lane, Request grabbed, LockRecord record) {
    Optional<Holder> holder = record.holder();
    seen = holder.map(Gate::describe);
    boolean mayTry = holder.isEmpty() || holder.get().liveness() != Liveness.LIVE;
    if (mayTry && ++dislodged <= PERSISTENCE) {
      holder.ifPresentOrElse(
          present -> dislodge(lane, grabbed, record, present),
          () -> grab(lane)); // It came free between two looks of the store at it.
    } else if (ifHeld == IfHeld.REFUSE) {
      leaveStore(false);
      gate.refused(this);
    } else {
      dislodged = 0;
      pause(); // Who waits was not refused for long: something came in between.
    }
  }

  /** The holder counts no more or may be ended: only once it is over may it be overtaken. */
  private void dislodge(Lane lane, Request grabbed, LockRecord record, Holder holder) {
    if (holder.liveness() != Liveness.LAPSED) {
      overtake(lane, grabbed, record, holder);
      return;
    }
    core.call(
        lane,
        timeout(lane),
        deadline -> core.backend.end(holder.request().session(), EndIf.LAPSED, deadline),
        ended -> {
          if (isStale(grabbed)) {
            return;
          }
          if (unwanted) {
            leaveStore(false);
          } else if (ended == Ended.OVER) {
            overtake(lane, grabbed, record, holder);
          } else {
            dislodged = PERSISTENCE;
            refused(lane, grabbed, record);
          }
        },
        failure -> grabFailed(grabbed, failure));
  }

  private void overtake(Lane lane, Request grabbed, LockRecord record, Holder holder) {
    Observed head = new Observed(record.name(), record.number(), holder.request());
    core.call(
        lane,
        timeout(lane),
        deadline -> core.backend.overtake(grabbed, head, deadline),
        attempt -> answered(lane, grabbed, attempt),
        failure -> grabFailed(grabbed, failure));
  }

  private void delayed(Attempt.Delayed delayed) {
    if (!seen.equals(Optional.of(delayed.why()))) { // Told once, however often it asks meanwhile.
      seen = Optional.of(delayed.why());
      core.emit(new LockEvent.GrantsDelayed(gate.publicName(), delayed.remaining(), delayed.why()));
    }
    if (ifHeld == IfHeld.REFUSE) {
      leaveStore(false);
      gate.refused(this);
    } else {
      pauseNanos = delayNanos(delayed.remaining());
      pause();
    }
  }

  private void grabFailed(Request grabbed, RuntimeException failure) {
    if (isStale(grabbed)) {
      return;
    }
    ambiguous |= Failures.mayHaveHadEffect(failure);
    Session current = requireNonNull(session);
    if (unwanted) {
      leaveStore(ambiguous);
    } else if (current.isOver()) {
      again(Lane.BACKGROUND);
    } else if (ifHeld == IfHeld.REFUSE || !Failures.mayPass(failure)) {
      leaveStore(ambiguous);
      fail(failure);
    } else {
      pause(failure, () -> grab(Lane.BACKGROUND));
    }
  }

  private void pause(RuntimeException failure, Runnable then) {
    trouble = Optional.of(failure);
    pauseThen(then);
  }

  private void pause() {
    pauseThen(() -> grab(Lane.BACKGROUND));
  }

  private void pauseThen(Runnable then) {
    phase = Phase.PAUSING;
    Request paused = request;
    core.after(
        pauseNanos,
        () -> {
          if (phase == Phase.PAUSING && Objects.equals(request, paused)) {
            then.run();
          }
        });
    pauseNanos = Math.min(2 * pauseNanos, PAUSE_MAX_NANOS);
  }

  /**
   * The store says that the request holds. It is a grant only if nothing speaks against it here.
   */
  void granted(long number, Instant since) {
    Session current = requireNonNull(session);
    if (unwanted) {
      leaveStore(true);
    } else if (current.revoked.contains(key().request())) {
      leaveStore(true);
      if (ifHeld == IfHeld.REFUSE) {
        seen = Optional.of("the request was revoked as soon as it was granted");
        gate.refused(this);
      } else {
        start(Lane.BACKGROUND);
      }
    } else if (current.inForce()) {
      leaveQueue(Phase.DONE);
      current.pending.remove(key().request());
      gate.granted(this, new HeldGrant(core, current, gate, key(), number, since, mayTurnUp()));
    } else if (ifHeld == IfHeld.REFUSE) {
      leaveStore(true);
      fail(
          new BackendFailure(
              Effect.NONE, "the lease ran out before the grant was answered; ask again", null));
    } else {
      leaveQueue(Phase.GRANTED_IN_JEOPARDY);
      granted = new Attempt.Granted(number, since, Contention.NOT_KNOWN);
      current.renewNow();
    }
  }

  void leaseInForce() {
    if (phase == Phase.GRANTED_IN_JEOPARDY) {
      granted(granted.number(), granted.since());
    }
  }

  /** What it waits for cannot be learnt: the one who waits is told so. */
  void fails(RuntimeException failure) {
    if (phase == Phase.QUEUED) {
      leaveStore(true);
      fail(failure);
    }
  }

  /** The request is not in the queue any more although nobody here took it out. */
  void vanished() {
    leaveStore(false);
    again(Lane.BACKGROUND);
  }

  void sessionOver() {
    // While a call is under way its answer, whatever it is, finds the session over.
    if (phase != Phase.GRABBING && phase != Phase.DONE) {
      again(Lane.BACKGROUND);
    }
  }

  /**
   * An overtake on its way can make the request the head after it has left the queue, so a request
   * that leaves meanwhile is unsettled like one whose grab was not answered.
   */
  void overtakeSent() {
    overtaking = true;
  }

  /** Tells that an overtake was answered, if it was sent for the present request. */
  void overtakeAnswered(Request sent) {
    overtaking &= !sent.equals(request);
  }

  void overtakeFailed(Request sent, RuntimeException failure) {
    if (sent.equals(request)) {
      overtaking = false;
      ambiguous |= Failures.mayHaveHadEffect(failure);
    }
  }

  boolean beginClearing(long nowNanos) {
    boolean begins = !clearing && nowNanos - clearNotBeforeNanos >= 0;
    clearing |= begins;
    return begins;
  }

  /** The store lets nobody overtake for so long; what stands in the way is left until then. */
  void clearingDelayed(Duration remaining) {
    long now = core.seam.nanos();
    clearNotBeforeNanos = now + delayNanos(remaining);
    pace.lookAtLatest(clearNotBeforeNanos);
  }

  /** What the store says, and a little more that differs from request to request. */
  private long delayNanos(Duration remaining) {
    long nanos = Math.max(remaining.toNanos(), PAUSE_MIN_NANOS);
    long spread = Math.min(nanos / 10, PAUSE_MAX_NANOS) + 1;
    return nanos + Math.floorMod(request().id().hashCode() * SCATTER, spread);
  }

  void endClearing() {
    clearing = false;
  }

  /** Nobody wants it any more. */
  void abandon() {
    unwanted = true;
    if (phase == Phase.QUEUED || phase == Phase.GRANTED_IN_JEOPARDY) {
      leaveStore(true);
    } else if (phase == Phase.PAUSING) {
      if (request == null) {
        phase = Phase.DONE;
      } else {
        leaveStore(ambiguous);
      }
    }
  }

  /** The request is turned away from; if it may be in the store, it is taken out. */
  private void leaveStore(boolean mayBeThere) {
    Session current = requireNonNull(session);
    RequestKey key = key();
    leaveQueue(Phase.DONE);
    current.pending.remove(key.request());
    if (mayTurnUp()) {
      current.unsettle(key);
    }
    if (mayBeThere) {
      current.withdraw(key);
    }
    current.closeIfRetired();
  }

  private void leaveQueue(Phase next) {
    if (phase == Phase.QUEUED) {
      requireNonNull(session).lookout.forget(this);
    }
    phase = next;
  }

  /** Whether something on its way to the store may put the request into the queue (again). */
  private boolean mayTurnUp() {
    return ambiguous || overtaking;
  }

  private void fail(RuntimeException failure) {
    phase = Phase.DONE;
    gate.failed(this, failure);
  }
}
