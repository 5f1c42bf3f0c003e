package io.holdfast.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import io.holdfast.engine.turn.Failures;
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
  private final Session session;
  private final Gate gate;
  private final RequestKey key;
  private final LockName publicName;
  private final FencingToken token;
  private final Instant since;
  private final boolean ambiguous;

  /** The thread that acquired it or has used it since; null if it was handed over. */
  private volatile @Nullable Thread owner = Thread.currentThread();

  /** What interrupts the body that runs under it; null if there is none. */
  private volatile @Nullable Interrupter interrupter;

  private volatile GrantState state = GrantState.UNDISTURBED;

  /** Immutable, as most grants have none. */
  private List<Consumer<LossReason>> lostListeners = List.of();

  private List<Runnable> troubleListeners = List.of();

  HeldGrant(
      Core core,
      Session session,
      Gate gate,
      RequestKey key,
      long number,
      Instant since,
      boolean ambiguous) {
    this.core = core;
    this.session = session;
    this.gate = gate;
    this.key = key;
    this.publicName = gate.publicName();
    this.token = FencingToken.of(number, 0);
    this.since = since;
    this.ambiguous = ambiguous;
  }

  RequestKey key() {
    return key;
  }

  @Override
  public LockName name() {
    return publicName;
  }

  @Override
  public LockMode mode() {
    return LockMode.EXCLUSIVE;
  }

  /** Makes it the grant of a thread. */
  void belongTo(Thread thread) {
    owner = thread;
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
    return since;
  }

  @Override
  public boolean isHeld() {
    used();
    return inForce();
  }

  boolean inForce() {
    return stands() && session.inForce();
  }

  private boolean stands() {
    return state instanceof GrantState.Undisturbed;
  }

  @Override
  public Duration remaining() {
    used();
    return stands() ? Duration.ofNanos(Math.max(0, session.remainingNanos())) : Duration.ZERO;
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
    try {
      core.seam.await(verdict, Duration.ofNanos(core.settings.graceNanos(session.ttl())));
    } catch (TimeoutException e) {
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
    tellLost(reason, turn);
    gate.vacated(this, turn);
  }

  @Override
  public ReleaseOutcome release() {
    GrantState before;
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      before = state;
      if (before instanceof GrantState.Undisturbed) {
        state = GrantState.RELEASED_BY_CALLER;
      } else if (before instanceof GrantState.RevokedButNotGivenBack) {
        state = new GrantState.Lost(LossReason.REVOKED);
        leave(turn);
        session.withdraw(key, turn);
      }
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    if (before instanceof GrantState.Undisturbed) {
      return releaseInStore();
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
      released =
          core.seam.callHere(
              Core.CALL_TIMEOUT,
              deadline -> core.backend.release(key.name(), key.request(), deadline));
    } catch (RuntimeException failure) {
      leaveAfterRelease(Optional.of(failure));
      return ReleaseOutcome.PENDING;
    } catch (Error e) {
      // The caller goes on, so nobody else would give it back.
      leaveAfterRelease(Optional.of(new IllegalStateException(e)));
      throw e;
    }
    leaveAfterRelease(Optional.empty());
    return switch (released) {
      case HANDED_ON -> ReleaseOutcome.HANDED_ON;
      case FREED -> ReleaseOutcome.FREED;
      case WAS_WAITING, NOTHING -> ReleaseOutcome.LOST;
    };
  }

  private void leaveAfterRelease(Optional<RuntimeException> failure) {
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      if (failure.isPresent()) {
        String problem = Failures.describe(failure.get());
        turn.emit(new LockEvent.ReleasePending(publicName, token, problem));
      }
      leave(turn);
      if (failure.isPresent()) {
        session.withdraw(key, turn);
      }
      gate.vacated(this, turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
  }

  @GuardedBy("turn.lock")
  private void leave(Turn turn) {
    session.grants.remove(key.request());
    if (ambiguous) {
      session.unsettle(key, turn);
    }
    session.closeIfRetired(turn);
  }

  /** The client closes: the store hears of it with the client's other requests. */
  @GuardedBy("turn.lock")
  void closedByClient(Turn turn) {
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
