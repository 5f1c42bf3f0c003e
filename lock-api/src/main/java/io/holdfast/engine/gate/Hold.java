package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.AcquireOptions;
import io.holdfast.AcquireOptions.Keeping;
import io.holdfast.FencingToken;
import io.holdfast.LockEvent;
import io.holdfast.LockMode;
import io.holdfast.LossReason;
import io.holdfast.SessionState;
import io.holdfast.engine.session.Departure;
import io.holdfast.engine.session.Granted;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.session.SessionHold;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Contention;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A number that the store has granted to a request of this client, and the grants that the client
 * makes of it, one after the other and without asking the store: a number is passed on from thread
 * to thread, or kept until a thread asks for it again ({@linkplain AcquireOptions#cached cached}).
 * Each grant has the next local part of the token.
 *
 * <p>Once a release of a number was sent, the number is dead in this process: from {@link Leaving}
 * there is no way back. A number under a lease that was in jeopardy, or that was revoked, goes to
 * no further thread, and goes back to the store: kept here, a late renewal would save it for
 * nobody.
 */
public final class Hold implements SessionHold {

  /** The last local part is left to a process that resumes the session and cannot know the last. */
  static final int LOCAL_OF_RESUMED = FencingToken.LOCAL_PARTS - 1;

  /** For so long after it was granted a number is passed on although others may wait for it. */
  static final long MAX_LOCAL_HOLD_NANOS = Duration.ofMillis(100).toNanos();

  /** After so many heartbeats without use a number that is kept goes back to the store. */
  private static final int IDLE_BEATS_MAX = 4;

  private sealed interface State {}

  /** Threads have grants of it. */
  private record InUse() implements State {}

  /** Here since then, and no thread has it. */
  private record Kept(long sinceNanos) implements State {}

  /** On its way back to the store, or lost. */
  private record Leaving(boolean wasKept) implements State {}

  private static final State IN_USE = new InUse();
  private static final State LEAVING = new Leaving(false);

  final Session session;
  final Gate gate;
  private final RequestKey key;
  final Instant since;

  private final Core core;
  private final AcquireOptions options;
  private final HeldGrants grants = new HeldGrants();
  final HeldMode mode;
  private final long askedNanos;
  private final long grantedNanos;

  /** A copy of a call that was not answered may still reach the store. */
  private final boolean ambiguous;

  private boolean mayHaveLockDelay;

  private final Contended contended;

  private State state;

  /** A downgrade gives it another. */
  private long number;

  private int nextLocal;

  /** No thread gets it after the one that has it. */
  private boolean spent;

  /** Until when the lock stays taken after it was given back: the least time of its grants. */
  private OptionalLong takenUntilNanos = OptionalLong.empty();

  Hold(
      Core core,
      Session session,
      Gate gate,
      RequestKey key,
      AcquireOptions options,
      LockMode mode,
      Granted granted,
      boolean ambiguous) {
    this.core = core;
    this.session = session;
    this.gate = gate;
    this.key = key;
    this.options = options;
    this.number = granted.number();
    this.since = granted.since();
    this.askedNanos = granted.askedNanos();
    this.grantedNanos = core.seam.nanos();
    this.state = new Kept(grantedNanos);
    this.mode = new HeldMode(core, this, mode);
    this.ambiguous = ambiguous;
    this.mayHaveLockDelay = !options.lockDelay().isZero();
    this.contended = new Contended(granted.contention(), granted.askedNanos());
  }

  /** A hold of an earlier life of this process, which may have passed its number on. */
  @GuardedBy("turn.lock")
  public static Hold resumed(
      Core core, Session session, Gate gate, RequestKey key, Standing.Holding holding, Turn turn) {
    Granted granted =
        new Granted(holding.number(), holding.since(), Contention.NOT_KNOWN, core.seam.nanos());
    AcquireOptions options = AcquireOptions.forever();
    Hold hold = new Hold(core, session, gate, key, options, holding.mode(), granted, false);
    hold.nextLocal = LOCAL_OF_RESUMED;
    hold.mayHaveLockDelay = true;
    hold.spent = true;
    return hold;
  }

  @Override
  public RequestKey key() {
    return key;
  }

  @Override
  @GuardedBy("turn.lock")
  public Departure departure(Turn turn) {
    return new Departure(core, key, takenUntilNanos, mayHaveLockDelay);
  }

  /**
   * A grant of it has reached its caller, who wants the lock to be taken for so long: it goes to no
   * further thread, whose job would run beside this one's within that time.
   */
  @GuardedBy("turn.lock")
  void takenForAtLeast(Duration atLeast, Turn turn) {
    if (!atLeast.isZero()) {
      long until = core.seam.nanos() + atLeast.toNanos();
      boolean isLonger = takenUntilNanos.isEmpty() || until - takenUntilNanos.getAsLong() > 0;
      takenUntilNanos = isLonger ? OptionalLong.of(until) : takenUntilNanos;
    }
  }

  private boolean isCached() {
    return options.keeping() == Keeping.CACHED;
  }

  @Override
  public boolean goesByContention() {
    return isCached() || mode.isShared();
  }

  @GuardedBy("turn.lock")
  boolean isKept(Turn turn) {
    return state instanceof Kept;
  }

  /** Whether a thread has it, or is giving it back. */
  @GuardedBy("turn.lock")
  boolean isHadByAThread(Turn turn) {
    return !(state instanceof Kept) && !(state instanceof Leaving leaving && leaving.wasKept());
  }

  @Override
  @GuardedBy("turn.lock")
  public boolean isInUse(Turn turn) {
    return state instanceof InUse;
  }

  @GuardedBy("turn.lock")
  void loseIfTimeIsUp(Turn turn) {
    for (HeldGrant grant : grants.all(turn)) {
      grant.loseIfTimeIsUp(turn);
    }
  }

  @GuardedBy("turn.lock")
  boolean belongsTo(Thread thread, Turn turn) {
    return grants.anyBelongsTo(thread, turn);
  }

  // --- from thread to thread ---

  /** Makes the next grant of it. */
  @GuardedBy("turn.lock")
  public HeldGrant grantTo(Thread owner, Turn turn) {
    assert !(state instanceof Leaving); // A number whose release was sent is dead.
    HeldGrant grant = new HeldGrant(core, this, FencingToken.of(number, nextLocal++), owner);
    grants.add(grant, turn);
    state = IN_USE;
    return grant;
  }

  /** A thread gives its grant back. Returns whether others still have theirs. */
  @GuardedBy("turn.lock")
  boolean isSharedAfter(HeldGrant leaver, Turn turn) {
    grants.remove(leaver, turn);
    return !grants.isEmpty(turn);
  }

  /**
   * Whether a further thread may have a grant beside those that are out. Not if others wait, or may
   * wait: riders that come one after the other would keep an exclusive request out for ever.
   */
  @GuardedBy("turn.lock")
  boolean mayBeRiddenBy(Ticket ticket, Turn turn) {
    return state instanceof InUse
        && mode.isShared()
        && serves(ticket)
        && isGood(turn)
        && session.state() == SessionState.SAFE
        && isNobodyWaiting();
  }

  /** Whether a ticket asks for what this was granted for. */
  private boolean serves(Ticket ticket) {
    AcquireOptions asked = ticket.options;
    return session.key.ttl().equals(ticket.ttl)
        && mode.now() == asked.mode()
        && options.keeping() == asked.keeping()
        && options.lockDelay().equals(asked.lockDelay())
        && options.why().equals(asked.why())
        && options.payload().equals(asked.payload());
  }

  /** Whether it may go to a further thread, whatever others want. */
  @GuardedBy("turn.lock")
  private boolean isGood(Turn turn) {
    return !spent
        && takenUntilNanos.isEmpty()
        && mode.isSettled(turn)
        && nextLocal < LOCAL_OF_RESUMED
        && session.inForce()
        && !session.isRetiring(turn);
  }

  private boolean isNobodyWaiting() {
    return contended.isKnownToBeNobody(
        core.seam.nanos(), core.settings.heartbeatNanos(session.ttl()));
  }

  @GuardedBy("turn.lock")
  boolean mayBePassedTo(Ticket next, Turn turn) {
    return serves(next)
        && isGood(turn)
        && session.state() == SessionState.SAFE
        && (core.seam.nanos() - grantedNanos < MAX_LOCAL_HOLD_NANOS
            || (isCached() && isNobodyWaiting()));
  }

  @GuardedBy("turn.lock")
  boolean mayBeKept(Turn turn) {
    return isCached() && isGood(turn) && isNobodyWaiting();
  }

  @GuardedBy("turn.lock")
  void keep(Turn turn) {
    state = new Kept(core.seam.nanos());
  }

  /** Whether a ticket may have what is kept; if it may not, the number goes back to the store. */
  @GuardedBy("turn.lock")
  boolean mayBeTakenBy(Ticket ticket, Turn turn) {
    return serves(ticket) && mayBeKept(turn);
  }

  /** Looks after what is kept: it is given back when others wait, or when no thread wants it. */
  @Override
  @GuardedBy("turn.lock")
  public void review(Turn turn) {
    if (state instanceof Kept kept) {
      long idleNanos = core.seam.nanos() - kept.sinceNanos();
      long idleMax = IDLE_BEATS_MAX * core.settings.heartbeatNanos(session.ttl());
      if (!mayBeKept(turn) || idleNanos > idleMax) {
        giveUp(turn);
      }
    } else if (state instanceof InUse && mode.isShared()) {
      gate.mayGoOn(turn); // The next in line may ride.
    }
  }

  @Override
  @GuardedBy("turn.lock")
  public void stands(Standing standing, long sentNanos, Turn turn) {
    if (standing instanceof Standing.Holding holding) {
      contended.answered(holding.contention(), sentNanos);
    } else {
      spent |= sentNanos - askedNanos >= 0; // An older answer tells of the time before the grant.
    }
    review(turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void hinted(Turn turn) {
    contended.hinted(core.seam.nanos());
    review(turn);
  }

  // --- from exclusive to shared ---

  /** The store has answered a downgrade: it has given another number, or knows of no grant. */
  @GuardedBy("turn.lock")
  void downgraded(OptionalLong shared, Turn turn) {
    if (!(state instanceof InUse)) {
      return;
    }
    if (shared.isEmpty()) {
      loseAll(LossReason.SESSION_ENDED, turn);
      return;
    }
    if (shared.getAsLong() != number) {
      number = shared.getAsLong();
      nextLocal = 0;
      for (HeldGrant grant : grants.all(turn)) {
        grant.isNow(FencingToken.of(number, nextLocal++), turn);
      }
    }
    contended.hinted(core.seam.nanos()); // What was known was about the exclusive number.
    if (!session.isOver()) {
      session.holds(this, turn); // From now on each heartbeat asks who waits behind it.
    }
  }

  // --- its end ---

  /** From now on it is dead here; the caller has it released. */
  @GuardedBy("turn.lock")
  void leave(Turn turn) {
    state = LEAVING;
  }

  /** Its release was answered, or has failed and is repeated in the background. */
  @GuardedBy("turn.lock")
  void left(Optional<RuntimeException> failure, Turn turn) {
    if (failure.isPresent()) {
      FencingToken last = FencingToken.of(number, nextLocal - 1);
      String problem = Failures.describe(failure.get());
      turn.emit(new LockEvent.ReleasePending(gate.publicName(), last, problem));
      session.withdraw(departure(turn), turn);
    }
    forget(turn);
    gate.vacated(this, turn);
  }

  /** A grant that was revoked before is given back now; with the last of them it leaves. */
  @GuardedBy("turn.lock")
  void leaveRevoked(HeldGrant leaver, Turn turn) {
    if (isSharedAfter(leaver, turn)) {
      return;
    }
    leave(turn);
    session.withdraw(Departure.atOnce(core, key, mayHaveLockDelay), turn);
    forget(turn);
  }

  @GuardedBy("turn.lock")
  private void forget(Turn turn) {
    session.heldNoMore(this, turn);
    if (ambiguous) {
      session.unsettle(key, turn);
    }
    session.closeIfRetired(turn);
  }

  /** Gives it back in the background. */
  @GuardedBy("turn.lock")
  void giveUp(Turn turn) {
    state = new Leaving(state instanceof Kept);
    new HoldRelease(core, this, departure(turn)).inBackground(turn);
  }

  /** A grant of it is lost. */
  @GuardedBy("turn.lock")
  void lost(HeldGrant grant, LossReason reason, Turn turn) {
    if (reason == LossReason.AT_MOST_REACHED) {
      if (!isSharedAfter(grant, turn)) {
        spent = true;
        giveUp(turn);
      }
    } else {
      spent = true; // Whatever else ends a grant ends all of the number.
      gate.vacated(this, turn);
    }
  }

  @Override
  @GuardedBy("turn.lock")
  public void revoked(Turn turn) {
    loseAll(LossReason.REVOKED, turn);
    review(turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void revokedIn(long leftNanos, Turn turn) {
    spent = true;
    for (HeldGrant grant : grants.all(turn)) {
      grant.revokedIn(leftNanos, turn);
    }
    review(turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void jeopardy(Turn turn) {
    spent = true;
    for (HeldGrant grant : grants.all(turn)) {
      grant.tellTrouble(turn);
    }
    review(turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void leaseInForce(Turn turn) {
    gate.mayGoOn(turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void retire(Turn turn) {
    spent = true;
    review(turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void sessionOver(LossReason reason, Turn turn) {
    if (state instanceof InUse) {
      loseAll(reason, turn);
    } else {
      vacate(turn);
    }
  }

  @GuardedBy("turn.lock")
  private void loseAll(LossReason reason, Turn turn) {
    spent = true;
    for (HeldGrant grant : grants.all(turn)) {
      grant.lose(reason, turn);
      assert !grant.inForce();
    }
  }

  /** No thread has it, and none of this client gets it any more. */
  @GuardedBy("turn.lock")
  private void vacate(Turn turn) {
    leave(turn);
    gate.vacated(this, turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void closedByClient(Turn turn) {
    if (state instanceof InUse) {
      for (HeldGrant grant : grants.all(turn)) {
        grant.closedByClient(turn);
      }
    } else {
      vacate(turn);
    }
  }

  @Override
  @GuardedBy("turn.lock")
  public boolean orphan(Turn turn) {
    if (state instanceof InUse) {
      boolean stood = false;
      for (HeldGrant grant : grants.all(turn)) {
        stood |= grant.orphan(turn);
      }
      return stood;
    }
    vacate(turn);
    return false;
  }
}
