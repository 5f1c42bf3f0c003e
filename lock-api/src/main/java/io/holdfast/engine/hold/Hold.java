package io.holdfast.engine.hold;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.LockEvent;
import io.holdfast.LockMode;
import io.holdfast.SessionState;
import io.holdfast.engine.session.Departure;
import io.holdfast.engine.session.Granted;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.session.SessionHold;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.LossReason;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A number that the store has granted to a request of this client, and the grants that the client
 * makes of it, one after the other and without asking the store: a number is passed on from thread
 * to thread, or kept until a thread asks for it again ({@linkplain AcquireOptions#cached cached}).
 * Each grant has the next local part of the token.
 *
 * <p>Once a release of a number was sent, the number is dead in this process: from {@link Leaving}
 * there is no way back. A number that goes to no further thread ({@link Reuse}) goes back to the
 * store: kept here, a late renewal would save it for no thread.
 */
public final class Hold implements SessionHold {

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
  public final HoldGate gate;
  private final RequestKey key;
  final Instant since;

  private final Core core;
  private final HeldGrants grants = new HeldGrants();
  final HeldMode mode;
  private final Reuse reuse;

  /** A copy of a call that was not answered may still reach the store. */
  private final boolean ambiguous;

  /**
   * For how long, at most, the store keeps the lock if it finds it held after the end of its
   * session.
   */
  private final Duration lockDelay;

  private State state;

  /** A downgrade gives it another. */
  private long number;

  /**
   * A request was granted.
   *
   * @param options those of the thread for which it was asked
   * @param ambiguous whether a copy of a call may still reach the store
   */
  public Hold(
      Core core,
      Session session,
      HoldGate gate,
      RequestKey key,
      AcquireOptions options,
      Granted granted,
      boolean ambiguous) {
    this.core = core;
    this.session = session;
    this.gate = gate;
    this.key = key;
    this.number = granted.number();
    this.since = granted.since();
    this.state = new Kept(core.seam.nanos());
    this.mode = new HeldMode(core, this, options.mode());
    this.reuse = new Reuse(core, session, options, mode, granted);
    this.lockDelay = options.lockDelay();
    this.ambiguous = ambiguous;
  }

  /**
   * A hold of an earlier life of this process, which may have passed its number on, and may have
   * asked for a lock-delay.
   */
  @GuardedBy("turn.lock")
  public static Hold resumed(
      Core core,
      Session session,
      HoldGate gate,
      RequestKey key,
      Standing.Holding holding,
      Turn turn) {
    Granted granted =
        new Granted(holding.number(), holding.since(), Contention.NOT_KNOWN, core.seam.nanos());
    AcquireOptions unknown = AcquireOptions.forever().lockDelay(AcquireOptions.STAY_MAX);
    AcquireOptions options = holding.mode() == LockMode.SHARED ? unknown.shared() : unknown;
    Hold hold = new Hold(core, session, gate, key, options, granted, false);
    hold.reuse.isOfEarlierLife(turn);
    return hold;
  }

  @Override
  public RequestKey key() {
    return key;
  }

  @Override
  @GuardedBy("turn.lock")
  public Departure departure(Turn turn) {
    return Departure.of(core, key, reuse.takenUntilNanos(turn), lockDelay);
  }

  /**
   * A grant of it has reached its caller, who wants the lock to be taken for so long: it goes to no
   * further thread, whose job would run beside this one's within that time.
   */
  @GuardedBy("turn.lock")
  OptionalLong takenForAtLeast(Duration atLeast, Turn turn) {
    OptionalLong until = reuse.takenForAtLeast(atLeast, turn);
    if (until.isPresent()) {
      gate.mayGoOn(turn); // A thread that hoped to ride on it may ask for a share.
    }
    return until;
  }

  /** That grant has not reached its caller after all, or was not used. */
  @GuardedBy("turn.lock")
  void notTakenUntil(long nanos, Turn turn) {
    reuse.notTakenUntil(nanos, turn);
  }

  @Override
  public boolean goesByContention() {
    return reuse.isCached() || mode.isShared();
  }

  public boolean isShared() {
    return mode.isShared();
  }

  /** Whether its lease is in force and no renewal is overdue. */
  public boolean isSafe() {
    return session.state() == SessionState.SAFE;
  }

  @GuardedBy("turn.lock")
  public boolean isKept(Turn turn) {
    return state instanceof Kept;
  }

  /** Whether a thread has it, or is giving it back. */
  @GuardedBy("turn.lock")
  public boolean isHadByAThread(Turn turn) {
    return !(state instanceof Kept) && !(state instanceof Leaving leaving && leaving.wasKept());
  }

  @Override
  @GuardedBy("turn.lock")
  public boolean isInUse(Turn turn) {
    return state instanceof InUse;
  }

  @GuardedBy("turn.lock")
  public void loseIfTimeIsUp(Turn turn) {
    for (HeldGrant grant : grants.all(turn)) {
      grant.loseIfTimeIsUp(turn);
    }
  }

  @GuardedBy("turn.lock")
  public boolean belongsTo(Thread thread, Turn turn) {
    return grants.anyBelongsTo(thread, turn);
  }

  // --- from thread to thread ---

  /**
   * Makes the next grant of it.
   *
   * @param owner the thread that it belongs to; null if it belongs to none, ever
   */
  @GuardedBy("turn.lock")
  public HeldGrant grantTo(@Nullable Thread owner, Turn turn) {
    assert !(state instanceof Leaving); // A number whose release was sent is dead.
    HeldGrant grant =
        new HeldGrant(core, this, FencingToken.of(number, reuse.nextLocal(turn)), owner);
    grants.add(grant, turn);
    state = IN_USE;
    return grant;
  }

  /** A thread gives its grant back. Returns whether others still have theirs. */
  @GuardedBy("turn.lock")
  public boolean isSharedAfter(HeldGrant leaver, Turn turn) {
    grants.remove(leaver, turn);
    return !grants.isEmpty(turn);
  }

  /** Whether a further thread may have a grant beside those that are out. */
  @GuardedBy("turn.lock")
  public boolean mayBeRiddenBy(Terms terms, Turn turn) {
    return state instanceof InUse && reuse.mayBeRidden(terms, turn);
  }

  /**
   * Whether a thread that cannot ride on it may ask the store for a grant beside it, as another
   * client may.
   */
  @GuardedBy("turn.lock")
  public boolean mayBeJoinedBy(Terms terms, Turn turn) {
    return state instanceof InUse && reuse.mayBeJoined(terms, turn);
  }

  /**
   * Whether a thread that wants it alone may ask the store now, while readers of this client have
   * it: it stands in the queue then, and readers of other clients do not pass it.
   */
  @GuardedBy("turn.lock")
  public boolean mayBeFollowedBy(Terms terms, Turn turn) {
    return state instanceof InUse
        && mode.isShared()
        && terms.options().mode() == LockMode.EXCLUSIVE;
  }

  @GuardedBy("turn.lock")
  public boolean mayBePassedTo(Terms next, Turn turn) {
    return reuse.mayBePassed(next, turn);
  }

  @GuardedBy("turn.lock")
  public boolean mayBeKept(Turn turn) {
    return reuse.mayBeKept(turn);
  }

  @GuardedBy("turn.lock")
  public void keep(Turn turn) {
    state = new Kept(core.seam.nanos());
  }

  /**
   * Whether a thread may have the kept number; if it may not, the number goes back to the store.
   */
  @GuardedBy("turn.lock")
  public boolean mayBeTakenBy(Terms terms, Turn turn) {
    return reuse.mayBeTaken(terms, turn);
  }

  /** Looks after a kept number: it is given back when others wait, or when no thread wants it. */
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
    reuse.stands(standing, sentNanos, turn);
    review(turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void hinted(Turn turn) {
    reuse.hinted(turn);
    review(turn);
  }

  // --- from exclusive to shared ---

  /** From now on its grants are of that mode. */
  @GuardedBy("turn.lock")
  void isNow(LockMode now, Turn turn) {
    for (HeldGrant grant : grants.all(turn)) {
      grant.isNow(now, turn);
    }
  }

  /** The store has answered a downgrade: it has given another number, or knows of no grant. */
  @GuardedBy("turn.lock")
  void downgraded(OptionalLong shared, Turn turn) {
    if (!(state instanceof InUse)) {
      return;
    }
    if (shared.isEmpty()) {
      loseAll(LossReason.SESSION_ENDED, turn);
      leave(turn);
      left(Optional.empty(), turn);
      return;
    }
    if (shared.getAsLong() != number) {
      number = shared.getAsLong();
      reuse.numberIsAnother(turn);
      for (HeldGrant grant : grants.all(turn)) {
        grant.isNow(FencingToken.of(number, reuse.nextLocal(turn)), turn);
      }
    }
    reuse.hinted(turn); // Past answers were about the exclusive number.
    if (!session.isOver()) {
      session.holds(this, turn); // From now on each heartbeat asks who waits behind it.
    }
    gate.mayGoOn(turn); // The next in line may ask for a share of its own.
  }

  // --- its end ---

  /** From now on it is dead here; the caller has it released. */
  @GuardedBy("turn.lock")
  public void leave(Turn turn) {
    state = LEAVING;
  }

  /** Its release was answered, or has failed and is repeated in the background. */
  @GuardedBy("turn.lock")
  void left(Optional<RuntimeException> failure, Turn turn) {
    if (failure.isPresent()) {
      FencingToken last = FencingToken.of(number, reuse.lastLocal(turn));
      String problem = Failures.describe(failure.get());
      turn.emit(new LockEvent.ReleasePending(gate.publicName(), last, problem));
      session.withdraw(departure(turn), turn);
    } else {
      gate.answered(session, turn);
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
    session.withdraw(Departure.atOnce(core, key, lockDelay), turn);
    forget(turn);
  }

  @GuardedBy("turn.lock")
  private void forget(Turn turn) {
    session.heldNoMore(this, turn);
    if (ambiguous) {
      session.unsettle(key, lockDelay, turn);
    }
    session.closeIfRetired(turn);
  }

  /** Gives it back in the background. */
  @GuardedBy("turn.lock")
  public void giveUp(Turn turn) {
    state = new Leaving(state instanceof Kept);
    new HoldRelease(core, this, departure(turn)).inBackground(turn);
  }

  /** A grant of it is lost. */
  @GuardedBy("turn.lock")
  void lost(HeldGrant grant, LossReason reason, Turn turn) {
    if (reason == LossReason.AT_MOST_REACHED) {
      if (!isSharedAfter(grant, turn)) {
        reuse.isSpent(turn);
        giveUp(turn);
      }
    } else {
      reuse.isSpent(turn); // Any other end of a grant ends all of the number.
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
    reuse.isSpent(turn);
    for (HeldGrant grant : grants.all(turn)) {
      grant.revokedIn(leftNanos, turn);
    }
    review(turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void jeopardy(Turn turn) {
    reuse.isSpent(turn);
    for (HeldGrant grant : grants.all(turn)) {
      grant.jeopardy(turn);
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
    reuse.isSpent(turn);
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
    reuse.isSpent(turn);
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
  public boolean isSettled(Turn turn) {
    return mode.isSettled(turn);
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
