package io.holdfast.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.AcquireOptions;
import io.holdfast.BadRequestException;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockEvent;
import io.holdfast.LockInterruptedException;
import io.holdfast.LockLostException;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.LossReason;
import io.holdfast.ReleaseOutcome;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Released;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A grant of this client: in force while it stands and the lease of its session is in force. */
final class HeldGrant implements Grant {

  private final Core core;
  private final Hold hold;
  private final Session session;
  private final LockName publicName;
  private final FencingToken token;

  /** The thread that acquired it or has used it since; null if it was handed over. */
  private volatile @Nullable Thread owner;

  /** What interrupts the body that runs under it; null if there is none. */
  private volatile @Nullable Interrupter interrupter;

  private volatile GrantState state = GrantState.UNDISTURBED;

  /** Until when it may be held. */
  private volatile TimeLimit limit = TimeLimit.NONE;

  /** Immutable, as most grants have none. */
  private List<Consumer<LossReason>> lostListeners = List.of();

  private List<Runnable> troubleListeners = List.of();

  HeldGrant(Core core, Hold hold, FencingToken token, Thread owner) {
    this.core = core;
    this.hold = hold;
    this.session = hold.session;
    this.publicName = hold.gate.publicName();
    this.token = token;
    this.owner = owner;
  }

  @Override
  public LockName name() {
    return publicName;
  }

  @Override
  public LockMode mode() {
    return LockMode.EXCLUSIVE;
  }

  boolean belongsTo(Thread thread) {
    return stands() && thread.equals(owner);
  }

  private void used() {
    Thread user = Thread.currentThread();
    if (!user.equals(owner)) {
      owner = user;
    }
  }

  @Override
  public void handOver() {
    owner = null;
  }

  @Override
  public FencingToken token() {
    used();
    return token;
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

  boolean inForce() {
    return stands() && session.inForce() && limit.leftNanos() > 0;
  }

  private boolean stands() {
    return state instanceof GrantState.Undisturbed;
  }

  @Override
  public Duration remaining() {
    used();
    long leftNanos = Math.min(session.remainingNanos(), limit.leftNanos());
    return stands() ? Duration.ofNanos(Math.max(0, leftNanos)) : Duration.ZERO;
  }

  /** Why it is not in force any more, apart from the lease; empty while it stands. */
  Optional<LossReason> gone() {
    return state.gone();
  }

  /** Whether its caller gave it back. */
  boolean isReleased() {
    return state instanceof GrantState.ReleasedByCaller;
  }

  // --- jeopardy ---

  @Override
  public void check() {
    if (isHeld()) {
      return;
    }
    Interrupter body = interrupter;
    if (body == null) {
      waitOutJeopardy();
    } else {
      body.withoutInterrupts(this::waitOutJeopardy);
    }
  }

  /** Returns when the lease is in force again; what it throws is final for the grant. */
  private void waitOutJeopardy() {
    while (!inForce()) {
      CompletableFuture<Boolean> verdict;
      Turn turn = core.turn();
      turn.lock.lock();
      try {
        loseIfTimeIsUp(turn);
        verdict = session.verdict(turn);
        if (stands()) {
          session.renewNow(turn);
        }
      } finally {
        turn.lock.unlock();
      }
      turn.carryOut();
      Optional<LossReason> gone = gone();
      if (gone.isPresent()) {
        throw lost(gone.get());
      }
      if (!inForce()) {
        awaitVerdict(verdict);
      }
    }
  }

  private void awaitVerdict(CompletableFuture<Boolean> verdict) {
    long graceNanos = core.settings.graceNanos(session.ttl());
    try {
      core.seam.await(verdict, Duration.ofNanos(Math.min(graceNanos, limit.leftNanos())));
    } catch (TimeoutException e) {
      if (limit.leftNanos() <= 0) {
        return;
      }
      Turn turn = core.turn();
      turn.lock.lock();
      try {
        session.graceIsOver(turn);
      } finally {
        turn.lock.unlock();
      }
      turn.carryOut();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockInterruptedException(
          "Interrupted while the lease of lock \"" + publicName + "\" was in jeopardy", e);
    }
  }

  private LockLostException lost(LossReason reason) {
    return new LockLostException(
        "The lock \"%s\" (token %s) at %s is not held any more: %s. Stop what relied on it."
            .formatted(publicName, token, core.backend.describe(), reason),
        reason);
  }

  // --- the longest time to hold it ---

  /** From now on it may be held for so long, and not longer, unless it is over already. */
  void lastAtMost(Duration atMost) {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      loseIfTimeIsUp(turn);
      if (stands()) {
        limit.stop();
        limit = TimeLimit.of(core.seam, atMost, turn, new TimeIsUp());
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  @Override
  public void extend(Duration atMost) {
    used();
    Duration checked = AcquireOptions.forever().atMost(atMost).atMost().orElseThrow();
    if (limit == TimeLimit.NONE) {
      throw new BadRequestException(
          "The lock \"%s\" was acquired without a longest time to hold it, so there is no end to move. Acquire it with AcquireOptions.atMost(…)."
              .formatted(publicName));
    }
    lastAtMost(checked);
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
  private void loseIfTimeIsUp(Turn turn) {
    if (limit.leftNanos() <= 0) {
      lose(LossReason.AT_MOST_REACHED, turn);
    }
  }

  // --- listeners ---

  /** From now on a body runs under it. */
  void runs(Interrupter body) {
    interrupter = body;
    onTrouble(body::interrupt);
  }

  @Override
  public void onLost(Consumer<LossReason> listener) {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      Optional<LossReason> gone = gone();
      if (gone.isEmpty()) {
        lostListeners = and(lostListeners, listener);
      } else if (!isReleased()) {
        turn.tell(listener, () -> listener.accept(gone.get()));
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
      troubleListeners = and(troubleListeners, listener);
      if (!inForce()) {
        turn.tell(listener, listener);
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  private static <T> List<T> and(List<T> present, T another) {
    return Stream.concat(present.stream(), Stream.of(another)).toList();
  }

  @GuardedBy("turn.lock")
  void tellTrouble(Turn turn) {
    // What an interrupt sets off, like the closing of a channel, may block.
    for (Runnable listener : troubleListeners) {
      turn.tell(listener, listener);
    }
  }

  @GuardedBy("turn.lock")
  private void tellLost(LossReason reason, Turn turn) {
    for (Consumer<LossReason> listener : lostListeners) {
      turn.tell(listener, () -> listener.accept(reason));
    }
    lostListeners = List.of();
    tellTrouble(turn);
  }

  // --- its end ---

  /** The grant is not in force any more, and never will be again. */
  @GuardedBy("turn.lock")
  void lose(LossReason reason, Turn turn) {
    if (!stands()) {
      return;
    }
    state =
        reason == LossReason.REVOKED
            ? new GrantState.RevokedButNotGivenBack()
            : new GrantState.Lost(reason);
    turn.emit(new LockEvent.GrantLost(publicName, token, reason));
    limit.stop();
    tellLost(reason, turn);
    hold.lost(reason, turn);
  }

  @Override
  public ReleaseOutcome release() {
    GrantState before;
    Hold.GivenBack hence = Hold.GivenBack.LEAVING;
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      loseIfTimeIsUp(turn);
      before = state;
      if (before instanceof GrantState.Undisturbed) {
        state = GrantState.RELEASED_BY_CALLER;
        limit.stop();
        hence = hold.gate.givenBack(hold, turn);
      } else if (before instanceof GrantState.RevokedButNotGivenBack) {
        state = new GrantState.Lost(LossReason.REVOKED);
        hold.leaveRevoked(turn);
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    if (before instanceof GrantState.Undisturbed) {
      return switch (hence) {
        case PASSED_ON -> ReleaseOutcome.HANDED_ON;
        case KEPT -> ReleaseOutcome.KEPT;
        case LEAVING -> releaseInStore();
      };
    } else if (before instanceof GrantState.ReleasedByCaller
        || before instanceof GrantState.ClosedByClient) {
      return ReleaseOutcome.ALREADY_RELEASED;
    }
    return before instanceof GrantState.Orphaned ? ReleaseOutcome.ORPHANED : ReleaseOutcome.LOST;
  }

  /** One call on the caller's thread. If it fails, it is repeated in the background. */
  private ReleaseOutcome releaseInStore() {
    Released released;
    try {
      RequestKey key = hold.key;
      released =
          core.seam.callHere(
              Core.CALL_TIMEOUT,
              deadline -> core.backend.release(key.name(), key.request(), deadline));
    } catch (RuntimeException failure) {
      releaseEnded(Optional.of(failure));
      return ReleaseOutcome.PENDING;
    } catch (Error e) {
      // The caller goes on, so nobody else would give it back.
      releaseEnded(Optional.of(new IllegalStateException(e)));
      throw e;
    }
    releaseEnded(Optional.empty());
    return switch (released) {
      case HANDED_ON -> ReleaseOutcome.HANDED_ON;
      case FREED -> ReleaseOutcome.FREED;
      case WAS_WAITING, NOTHING -> ReleaseOutcome.LOST;
    };
  }

  private void releaseEnded(Optional<RuntimeException> failure) {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      hold.left(failure, turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  /** The client closes: the store hears of it with the client's other requests. */
  @GuardedBy("turn.lock")
  void closedByClient(Turn turn) {
    limit.stop();
    if (stands()) {
      state = new GrantState.ClosedByClient();
      tellLost(LossReason.CLIENT_CLOSED, turn); // A body may be at work under it.
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
    limit.stop();
    boolean stood = stands();
    if (stood) {
      state = new GrantState.Orphaned();
      tellLost(LossReason.ORPHANED, turn);
    } else if (state instanceof GrantState.RevokedButNotGivenBack) {
      state = new GrantState.Lost(LossReason.REVOKED);
    }
    return stood;
  }

  @Override
  public String toString() {
    return "Grant[" + publicName + ", token " + token + "]";
  }
}
