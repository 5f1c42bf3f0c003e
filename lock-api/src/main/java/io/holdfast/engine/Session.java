package io.holdfast.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.Health.SessionHealth;
import io.holdfast.LockEvent;
import io.holdfast.LockName;
import io.holdfast.LossReason;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.SessionState;
import io.holdfast.engine.seam.Lease;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.Opened;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One session of this client: its lease and state, and the requests that live by it.
 *
 * <p>The lease is believed by this process's clocks alone ({@link Lease}); the state follows it:
 * SAFE, LATE, JEOPARDY, and at last EXPIRED, when the store has said that the session is over or
 * the grace time has passed. EXPIRED is final, and every grant is lost with it.
 */
final class Session {

  /**
   * How many unsettled requests a session looks after before the client goes on with a fresh one.
   */
  static final int UNSETTLED_MAX = 32;

  private static final int END_ATTEMPTS = 4;

  final SessionId id;
  final Sessions.Key key;
  final Opened opened;
  final WaitPoller poller;

  /** Requests that were granted and not yet released or lost. */
  final Map<RequestId, Hold> holds = new LinkedHashMap<>();

  /** Those of them that may be kept when no thread has them. */
  private final Map<LockName, Hold> cached = new LinkedHashMap<>();

  /** Requests on their way or in a queue. */
  final Map<RequestId, PendingRequest> pending = new LinkedHashMap<>();

  /** Requests that were turned away from while a copy may still be on its way to the store. */
  final Map<RequestId, RequestKey> unsettled = new LinkedHashMap<>();

  /** Requests that were revoked before this client heard of their grant. */
  final Set<RequestId> revoked = new HashSet<>();

  private final Core core;
  private final Sessions sessions;
  private final Heartbeat heartbeat;
  private final Withdrawals withdrawals;
  private final Hints hints;
  private volatile Lease lease;
  private volatile Duration ttl;
  private volatile SessionState state = SessionState.SAFE;

  /** What this client has done with it, whatever its state was. */
  enum Keeping {
    /** It is this client's, and renewed. */
    KEPT,
    /** This client has closed it: the store is told that it is over. */
    CLOSED,
    /** This client has left it, with what it holds, to a later life of the process. */
    ORPHANED
  }

  private volatile Keeping keeping = Keeping.KEPT;

  private CompletableFuture<Boolean> verdict = new CompletableFuture<>();
  private long serials;
  private boolean retiring;

  Session(
      Core core, Sessions sessions, SessionId id, Sessions.Key key, Opened opened, Lease lease) {
    this.core = core;
    this.sessions = sessions;
    this.id = id;
    this.key = key;
    this.opened = opened;
    this.lease = lease;
    this.ttl = opened.ttl();
    this.poller = new WaitPoller(core, this);
    this.withdrawals = new Withdrawals(this);
    this.hints = new Hints(core, this);
    this.heartbeat = new Heartbeat(core, this, lease.sent(), opened);
  }

  @GuardedBy("turn.lock")
  void begin(Turn turn) {
    turn.emit(new LockEvent.SessionOpened(id, opened.ttl()));
    heartbeat.begin(turn);
  }

  @GuardedBy("turn.lock")
  RequestId nextRequest(Turn turn) {
    return new RequestId(id, ++serials);
  }

  /** Whether the lease is in force at this moment. Needs no turn; costs nanoseconds. */
  boolean inForce() {
    return remainingNanos() > 0;
  }

  /** How long the lease lasts; zero or less if it is not in force. Needs no turn. */
  long remainingNanos() {
    return isOver() ? 0 : lease.remainingNanos(core.clocks);
  }

  /** Whether this client has nothing to expect from it any more. Needs no turn. */
  boolean isOver() {
    return keeping != Keeping.KEPT || state == SessionState.EXPIRED;
  }

  SessionState state() {
    return state;
  }

  /** The TTL that the store granted last. */
  Duration ttl() {
    return ttl;
  }

  SessionHealth health() {
    return new SessionHealth(id, ttl, state, holds.size());
  }

  // --- requests and grants ---

  /** A request of it was granted. */
  @GuardedBy("turn.lock")
  void holds(Hold hold, Turn turn) {
    assert !isOver();
    holds.put(hold.key.request(), hold);
    if (hold.isCached()) {
      cached.put(hold.key.name(), hold);
    }
  }

  @GuardedBy("turn.lock")
  void heldNoMore(Hold hold, Turn turn) {
    holds.remove(hold.key.request());
    cached.remove(hold.key.name(), hold);
  }

  /** Whether a thread has any of what it holds. */
  @GuardedBy("turn.lock")
  boolean isInUse(Turn turn) {
    for (Hold hold : holds.values()) {
      if (hold.isInUse(turn)) {
        return true;
      }
    }
    return false;
  }

  /** What each heartbeat asks about, besides what waits: whether others wait behind it. */
  @GuardedBy("turn.lock")
  List<RequestKey> cachedKeys(Turn turn) {
    return cached.values().stream().map(hold -> hold.key).toList();
  }

  @GuardedBy("turn.lock")
  void hintedHold(LockName name, Turn turn) {
    Hold hold = cached.get(name);
    if (hold != null) {
      hold.hinted(turn);
    }
  }

  /** Looks after what is kept. */
  @GuardedBy("turn.lock")
  void reviewKept(Turn turn) {
    for (Hold hold : cached.values()) {
      hold.review(turn);
    }
  }

  /** A request of this session has joined a queue. */
  @GuardedBy("turn.lock")
  void waits(PendingRequest request, Turn turn) {
    listen(turn);
    poller.wanted(request, turn);
  }

  @GuardedBy("turn.lock")
  void listen(Turn turn) {
    hints.listen(turn);
  }

  @GuardedBy("turn.lock")
  Wakeup wakeup(Turn turn) {
    return hints.wakeup(turn);
  }

  /** Takes a request out of the store in the background. */
  @GuardedBy("turn.lock")
  void withdraw(RequestKey key, Turn turn) {
    withdrawals.withdraw(key, turn);
  }

  /** The requests that are being withdrawn at this moment. */
  @GuardedBy("turn.lock")
  List<RequestKey> beingWithdrawn(Turn turn) {
    return withdrawals.underWay(turn);
  }

  /** Remembers a request that may yet turn up in the store. */
  @GuardedBy("turn.lock")
  void unsettle(RequestKey request, Turn turn) {
    unsettled.put(request.request(), request);
    if (unsettled.size() > UNSETTLED_MAX && !retiring) {
      retire(turn);
    }
  }

  /** It takes no further requests, and ends with the last one. */
  @GuardedBy("turn.lock")
  void retire(Turn turn) {
    retiring = true;
    sessions.retire(this, turn);
    for (Hold hold : cached.values()) {
      hold.retire(turn);
    }
    closeIfRetired(turn);
  }

  /** To be called whenever a grant or a pending request is gone. */
  @GuardedBy("turn.lock")
  void closeIfRetired(Turn turn) {
    if (retiring && isIdle(turn)) {
      close(turn);
    }
  }

  @GuardedBy("turn.lock")
  boolean isRetiring(Turn turn) {
    return retiring;
  }

  @GuardedBy("turn.lock")
  boolean isIdle(Turn turn) {
    return holds.isEmpty() && pending.isEmpty();
  }

  // --- its lease ---

  @GuardedBy("turn.lock")
  void renewNow(Turn turn) {
    heartbeat.beatNow(turn);
  }

  /** Completed when jeopardy is over: true if the lease is in force again. */
  @GuardedBy("turn.lock")
  CompletableFuture<Boolean> verdict(Turn turn) {
    return verdict;
  }

  /** A renewal was answered: same grants, same tokens, a new lease. */
  @GuardedBy("turn.lock")
  void renewed(Lease renewed, Duration granted, Turn turn) {
    assert !isOver(); // EXPIRED is final: no renewal brings a session back.
    lease = renewed;
    ttl = granted;
    if (!inForce()) {
      return; // The answer took longer than the lease: it proves nothing about the present.
    }
    changeState(SessionState.SAFE, "renewed", turn);
    turn.complete(verdict, true);
    verdict = new CompletableFuture<>();
    for (PendingRequest request : List.copyOf(pending.values())) {
      request.leaseInForce(turn);
    }
    for (Hold hold : cached.values()) {
      hold.gate.leaseInForce(turn);
    }
  }

  @GuardedBy("turn.lock")
  void late(String detail, Turn turn) {
    changeState(SessionState.LATE, detail, turn);
  }

  @GuardedBy("turn.lock")
  void jeopardy(String detail, Turn turn) {
    lease = lease.ended(); // Also if the clock that told so is set back: only a renewal saves it.
    changeState(SessionState.JEOPARDY, detail, turn);
    for (Hold hold : holds.values()) {
      hold.jeopardy(turn);
    }
  }

  @GuardedBy("turn.lock")
  private void changeState(SessionState to, String detail, Turn turn) {
    assert state != SessionState.EXPIRED || to == SessionState.EXPIRED;
    if (state != to) {
      turn.emit(new LockEvent.SessionStateChanged(id, state, to, detail));
      state = to;
    }
  }

  /**
   * A whole grace time has passed without a renewal in force. The first to find it so, a timer or a
   * caller who has waited for it, ends the session: a renewal that is answered later must not save
   * what its caller was told is lost.
   */
  @GuardedBy("turn.lock")
  void graceIsOver(Turn turn) {
    if (!inForce()) {
      expire(LossReason.LEASE_EXPIRED, "no renewal succeeded within the grace time", turn);
    }
  }

  // --- its end ---

  /** The session is over or given up. Every grant is lost; waiting requests ask again elsewhere. */
  @GuardedBy("turn.lock")
  void expire(LossReason reason, String detail, Turn turn) {
    if (isOver()) {
      return;
    }
    changeState(SessionState.EXPIRED, detail, turn);
    stop(turn);
    List<Hold> lost = List.copyOf(holds.values());
    holds.clear();
    cached.clear();
    for (Hold hold : lost) {
      hold.sessionOver(reason, turn);
    }
    List<PendingRequest> waiting = List.copyOf(pending.values());
    pending.clear();
    for (PendingRequest request : waiting) {
      request.sessionOver(turn);
    }
    if (reason != LossReason.SESSION_ENDED) {
      end(1, turn); // It may still live in the store, where others wait for it to lapse.
    }
  }

  /** Ends an idle session in the background. */
  @GuardedBy("turn.lock")
  void close(Turn turn) {
    if (!isOver()) {
      leave(Keeping.CLOSED, turn);
      end(1, turn);
    }
  }

  /** This client renews it no more, and tells the store by itself how it ends. */
  @GuardedBy("turn.lock")
  void leave(Keeping how, Turn turn) {
    keeping = how;
    turn.emit(new LockEvent.SessionClosed(id));
    stop(turn);
  }

  @GuardedBy("turn.lock")
  private void stop(Turn turn) {
    sessions.forget(this, turn);
    heartbeat.stop(turn);
    poller.stop(turn);
    hints.stop(turn);
    turn.complete(verdict, false);
  }

  /** Ends it in the store. If that goes on failing it ends by itself: no client renews it. */
  @GuardedBy("turn.lock")
  private void end(int attempt, Turn turn) {
    turn.call(Runner.BACKGROUND, Core.CALL_TIMEOUT, new End(attempt));
  }

  private final class End implements StoreCall<Ended>, Turn.Step {
    private final int attempt;

    End(int attempt) {
      this.attempt = attempt;
    }

    @Override
    public Ended send(CheckedBackend store, Deadline deadline) {
      return store.end(id, EndIf.CLOSED, deadline);
    }

    @Override
    public void answered(Ended ended, Turn turn) {}

    @Override
    @GuardedBy("turn.lock")
    public void failed(RuntimeException failure, Turn turn) {
      if (attempt < END_ATTEMPTS) {
        turn.after(ttl.toNanos() / 4, this);
      }
    }

    /** The next attempt, after a pause. */
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      end(attempt + 1, turn);
    }
  }
}
