package io.holdfast.engine.hold;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockEvent;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.ReleaseOutcome;
import io.holdfast.Sequencer;
import io.holdfast.engine.session.Departure;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.EngineSettings;
import io.holdfast.engine.turn.Signal;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A grant of this client: in force while it stands and the lease of its session is in force. */
public final class HeldGrant implements Grant {

  private final Core core;
  private final Hold hold;
  private final Session session;
  private final LockName publicName;

  /** Its mode and its token, which a downgrade changes: never one of before with one of after. */
  private volatile Sequencer sequencer;

  /** The thread that acquired it or has used it since; null if it was handed over. */
  private volatile @Nullable Thread owner;

  /** Whether it belongs to the thread that uses it, as opposed to none. */
  private final boolean isOwnable;

  /** Until when the lock is taken because it has reached its caller. */
  private OptionalLong takenUntilNanos = OptionalLong.empty();

  private volatile GrantState state = GrantState.UNDISTURBED;

  private volatile boolean isLeftToOthers;

  private final HoldingTime time = new HoldingTime();

  private final GrantListeners listeners = new GrantListeners();

  private final Signal change = new Signal();

  HeldGrant(Core core, Hold hold, FencingToken token, @Nullable Thread owner) {
    this.core = core;
    this.hold = hold;
    this.session = hold.session;
    this.publicName = hold.gate.publicName();
    this.sequencer = new Sequencer(publicName, hold.mode.now(), token);
    this.owner = owner;
    this.isOwnable = owner != null;
  }

  @Override
  public LockName name() {
    return publicName;
  }

  @Override
  public LockMode mode() {
    return sequencer.mode();
  }

  boolean belongsTo(Thread thread) {
    return stands() && thread.equals(owner);
  }

  private void used() {
    Thread user = Thread.currentThread();
    if (isOwnable && !user.equals(owner)) {
      owner = user;
    }
  }

  @Override
  public void handOver() {
    owner = null;
  }

  @Override
  public FencingToken token() {
    return sequencer().token();
  }

  @Override
  public Sequencer sequencer() {
    used();
    return sequencer;
  }

  @Override
  public Instant since() {
    return hold.since;
  }

  @Override
  public boolean isHeld() {
    used();
    return inForce();
  }

  /** Whether the lease is in force, asked by a thread that need not be the user of the grant. */
  public boolean inForce() {
    return stands() && session.inForce() && time.leftNanos() > 0;
  }

  private boolean stands() {
    return state instanceof GrantState.Undisturbed;
  }

  @Override
  public Duration remaining() {
    used();
    long leftNanos = Math.min(session.remainingNanos(), time.leftNanos());
    return stands() ? Duration.ofNanos(Math.max(0, leftNanos)) : Duration.ZERO;
  }

  /** Why it is not in force any more, apart from the lease; empty while it stands. */
  public Optional<LossReason> gone() {
    return state.gone();
  }

  /** Whether its client was closed, and has left it or given it back. */
  public boolean isOfClosedClient() {
    return gone()
        .filter(why -> why == LossReason.CLIENT_CLOSED || why == LossReason.ORPHANED)
        .isPresent();
  }

  /** Whether its caller gave it back. */
  boolean isReleased() {
    return state instanceof GrantState.ReleasedByCaller;
  }

  // --- jeopardy ---

  @Override
  public void check() {
    boolean unused = isHeldWithin(EngineSettings.DURATION_MAX);
  }

  /**
   * Checks as {@link #check} does, but waits in jeopardy for at most so long. Returns whether the
   * lease is in force.
   *
   * @throws LockLostException if the grant is lost or was released
   * @throws LockInterruptedException if interrupted while waiting in jeopardy
   */
  public boolean isHeldWithin(Duration maxWait) {
    return isHeld()
        || Interrupter.withoutInterrupts(
            this, () -> new JeopardyWait(core, session, this).end(maxWait));
  }

  /** Whether a renewal would save it; if its own time is up, it is lost now. */
  @GuardedBy("turn.lock")
  boolean mayBeSaved(Turn turn) {
    loseIfTimeIsUp(turn);
    return stands();
  }

  /** Completed when it ends, or when the longest time to hold it is moved. */
  @GuardedBy("turn.lock")
  CompletableFuture<Boolean> nextChange(Turn turn) {
    return change.next(turn);
  }

  /** Returns what tells the application of that loss. */
  public LockLostException lost(LossReason reason) {
    return new LockLostException(
        "The lock \"%s\" (token %s) at %s is not held any more: %s. Stop what relied on it."
            .formatted(publicName, sequencer.token(), core.backend.describe(), reason),
        reason);
  }

  // --- the times of the hold ---

  /** How much of the time to hold it is left; zero or less if it is over. */
  long timeLeftNanos() {
    return time.leftNanos();
  }

  /**
   * The acquire returns it to its caller: from now on the times of the hold count. If that fails,
   * it has gone back unused: no caller gets it, and it would be renewed for ever.
   */
  public void reachesCaller(AcquireOptions options) {
    if (options.atMost().isEmpty() && options.atLeast().isZero()) {
      return;
    }
    try {
      core.run(new ReachesCaller(options));
    } catch (RuntimeException | Error e) {
      giveBackAfter(e);
      throw e;
    }
  }

  private final class ReachesCaller implements Turn.Step {
    private final AcquireOptions options;

    ReachesCaller(AcquireOptions options) {
      this.options = options;
    }

    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      if (stands()) {
        takenUntilNanos = hold.takenForAtLeast(options.atLeast(), turn);
      }
      if (options.atMost().isPresent()) {
        lastAtMost(options.atMost().get(), turn);
      }
    }
  }

  /** From now on it may be held for so long, and not longer, unless it is over already. */
  @GuardedBy("turn.lock")
  private void lastAtMost(Duration atMost, Turn turn) {
    loseIfTimeIsUp(turn);
    if (stands()) {
      time.lastsAtMost(atMost, core.seam, new TimeIsUp(), turn);
      change.happens(turn);
    }
  }

  /** It was revoked with notice, and may be held for so long, regardless of its lease. */
  @GuardedBy("turn.lock")
  void revokedIn(long leftNanos, Turn turn) {
    if (stands()) {
      if (time.isRevokedIn(leftNanos, core.clocks, new TimeIsUp(), turn)) {
        turn.emit(
            new LockEvent.GrantRevokedLater(
                publicName, sequencer.token(), Duration.ofNanos(leftNanos)));
      }
      change.happens(turn);
    }
  }

  @Override
  public void extend(Duration atMost) {
    used();
    Duration checked = AcquireOptions.forever().atMost(atMost).atMost().orElseThrow();
    if (stands() && !time.hasLongest()) {
      throw new BadRequestException(
          "The lock \"%s\" was acquired without a longest time to hold it, so there is no end to move. Acquire it with AcquireOptions.atMost(…)."
              .formatted(publicName));
    }
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      lastAtMost(checked, turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    Optional<LossReason> gone = gone();
    if (gone.isPresent()) {
      throw lost(gone.get());
    }
  }

  private final class TimeIsUp implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      loseIfTimeIsUp(turn);
    }
  }

  @GuardedBy("turn.lock")
  void loseIfTimeIsUp(Turn turn) {
    Optional<LossReason> over = time.reasonIfOver();
    if (over.isPresent()) {
      lose(over.get(), turn);
    }
  }

  // --- from exclusive to shared ---

  @Override
  public void downgrade() {
    used();
    Optional<LossReason> gone;
    boolean isShared;
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      loseIfTimeIsUp(turn);
      gone = gone();
      isShared = hold.mode.isShared();
      if (gone.isEmpty() && !isShared) {
        hold.mode.becomesShared(turn);
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    if (gone.isEmpty() && !isShared) {
      hold.mode.tellStore();
      gone = gone();
    }
    if (gone.isPresent()) {
      throw lost(gone.get());
    }
  }

  /** A downgrade is under way, or could not be. */
  @GuardedBy("turn.lock")
  void isNow(LockMode mode, Turn turn) {
    sequencer = new Sequencer(publicName, mode, sequencer.token());
  }

  /** A downgrade has given it another token. */
  @GuardedBy("turn.lock")
  void isNow(FencingToken shared, Turn turn) {
    sequencer = new Sequencer(publicName, LockMode.SHARED, shared);
  }

  // --- listeners ---

  /** From now on a body runs under it. */
  public void runs(Interrupter body) {
    onTrouble(body::interrupt);
  }

  @Override
  public void onLost(Consumer<LossReason> listener) {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      Optional<LossReason> gone = gone();
      if (gone.isEmpty()) {
        listeners.addOfLoss(listener, turn);
      } else if (!isReleased()) {
        turn.tell(listener, () -> listener.accept(gone.get()));
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  /**
   * Tells a part of the engine, which must not block, once: when the lease runs out, though a
   * renewal may save the grant yet, or when it is lost. No listener of the application's delays
   * that. The thread that asks does not become the user of the grant.
   */
  public void onEnd(Consumer<LossReason> listener) {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      Optional<LossReason> gone = gone();
      if (gone.isEmpty()) {
        listeners.addOfEnd(listener, turn);
      } else if (!isReleased()) {
        turn.signal(listener, () -> listener.accept(gone.get()));
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  /**
   * Calls the listener, on any thread, when the lease runs out, the grant is lost, or the client is
   * closed.
   */
  private void onTrouble(Runnable listener) {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      listeners.addOfTrouble(listener, turn);
      if (!inForce()) {
        turn.signal(listener, listener);
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  @GuardedBy("turn.lock")
  void jeopardy(Turn turn) {
    listeners.tellJeopardy(turn);
  }

  // --- its end ---

  /** The grant is not in force any more, and never will be again. */
  @GuardedBy("turn.lock")
  public void lose(LossReason reason, Turn turn) {
    if (!stands()) {
      return;
    }
    state =
        reason == LossReason.REVOKED
            ? new GrantState.RevokedButNotGivenBack()
            : new GrantState.Lost(reason);
    turn.emit(new LockEvent.GrantLost(publicName, sequencer.token(), reason));
    time.stop();
    change.happens(turn);
    listeners.tellLost(reason, turn);
    hold.lost(this, reason, turn);
  }

  /** Whether it was given back without asking the store: other threads still have the number. */
  public boolean isLeftToOthers() {
    return isLeftToOthers;
  }

  @Override
  public ReleaseOutcome release() {
    GrantState before;
    GivenBack hence;
    Departure departure;
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      loseIfTimeIsUp(turn);
      before = state;
      hence = giveBack(turn);
      isLeftToOthers |= hence == GivenBack.RIDDEN;
      departure = hold.departure(turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    if (before instanceof GrantState.Undisturbed) {
      return switch (hence) {
        case PASSED_ON -> ReleaseOutcome.HANDED_ON;
        case KEPT -> ReleaseOutcome.KEPT;
        case RIDDEN -> ReleaseOutcome.SHARED;
        case LEAVING -> new HoldRelease(core, hold, departure).here();
      };
    } else if (before instanceof GrantState.ReleasedByCaller
        || before instanceof GrantState.ClosedByClient) {
      return ReleaseOutcome.ALREADY_RELEASED;
    }
    return before instanceof GrantState.Orphaned ? ReleaseOutcome.ORPHANED : ReleaseOutcome.LOST;
  }

  @Override
  public ReleaseOutcome releaseUnused() {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      takesNoTime(turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    return release();
  }

  /** The lock stays taken for no least time of this grant, unless it was given back already. */
  @GuardedBy("turn.lock")
  private void takesNoTime(Turn turn) {
    if (takenUntilNanos.isPresent() && !isReleased()) {
      hold.notTakenUntil(takenUntilNanos.getAsLong(), turn);
    }
  }

  /**
   * Its caller did not want it any more when it came. Gives it back without a call on this thread;
   * the lock does not stay taken for a least time.
   */
  public void giveBackUnused() {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      takesNoTime(turn);
      loseIfTimeIsUp(turn);
      boolean stood = stands();
      if (giveBack(turn) == GivenBack.LEAVING && stood) {
        new HoldRelease(core, hold, hold.departure(turn)).inBackground(turn);
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  /** Gives it back unused because of that failure, to which is added what this throws. */
  public void giveBackAfter(Throwable failure) {
    try {
      giveBackUnused();
    } catch (RuntimeException | Error second) {
      failure.addSuppressed(second);
    }
  }

  /** Returns where the number goes, if the grant stood until now. */
  @GuardedBy("turn.lock")
  private GivenBack giveBack(Turn turn) {
    if (state instanceof GrantState.Undisturbed) {
      state = GrantState.RELEASED_BY_CALLER;
      time.stop();
      change.happens(turn);
      return hold.gate.givenBack(hold, this, turn);
    } else if (state instanceof GrantState.RevokedButNotGivenBack) {
      state = new GrantState.Lost(LossReason.REVOKED);
      hold.leaveRevoked(this, turn);
    }
    return GivenBack.LEAVING;
  }

  /** The client closes: the store hears of it with the client's other requests. */
  @GuardedBy("turn.lock")
  void closedByClient(Turn turn) {
    time.stop();
    if (stands()) {
      state = new GrantState.ClosedByClient();
      listeners.tellLost(LossReason.CLIENT_CLOSED, turn); // A body may be at work under it.
    } else if (state instanceof GrantState.RevokedButNotGivenBack) {
      state = new GrantState.Lost(LossReason.REVOKED);
    }
  }

  /**
   * The client closes, and leaves it to a later life of the process. Returns whether it was still
   * this client's to leave.
   */
  @GuardedBy("turn.lock")
  boolean orphan(Turn turn) {
    loseIfTimeIsUp(turn);
    time.stop();
    boolean stood = stands();
    if (stood) {
      state = new GrantState.Orphaned();
      listeners.tellLost(LossReason.ORPHANED, turn);
    } else if (state instanceof GrantState.RevokedButNotGivenBack) {
      state = new GrantState.Lost(LossReason.REVOKED);
    }
    return stood;
  }

  @Override
  public String toString() {
    return "Grant[" + publicName + ", token " + sequencer.token() + "]";
  }
}
