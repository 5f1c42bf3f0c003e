package io.holdfast.engine.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.Health.SessionHealth;
import io.holdfast.LockEvent;
import io.holdfast.SessionId;
import io.holdfast.SessionState;
import io.holdfast.engine.seam.Lease;
import io.holdfast.engine.session.SessionRequests.Unsettled;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Signal;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.LossReason;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Opened;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * One session of this client: its lease and state, and the requests that live by it.
 *
 * <p>The lease is believed by this process's clocks alone ({@link Lease}); the state follows it:
 * SAFE, LATE, JEOPARDY, and at last EXPIRED, when the store has said that the session is over or
 * the grace time has passed. EXPIRED is final, and every grant is lost with it.
 */
public final class Session {

  /**
   * How many unsettled requests a session looks after before the client goes on with a fresh one.
   */
  static final int UNSETTLED_MAX = 32;

  public final SessionId id;
  public final Sessions.Key key;
  final Opened opened;
  final WaitPoller poller;

  final SessionRequests requests = new SessionRequests();

  private final Core core;
  private final Sessions sessions;
  private final Heartbeat heartbeat;
  private final Withdrawals withdrawals;
  private final Hints hints;
  private volatile Lease lease;
  private volatile Duration ttl;
  private volatile SessionState state = SessionState.SAFE;

  /** This client's decision about it, in any state. */
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
  private final Signal settled = new Signal();
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
    heartbeat.begin(lease.sent(), turn);
  }

  @GuardedBy("turn.lock")
  public RequestId nextRequest(Turn turn) {
    return new RequestId(id, ++serials);
  }

  /** Whether the lease is in force at this moment. Needs no turn; costs nanoseconds. */
  public boolean inForce() {
    return remainingNanos() > 0;
  }

  /** How long the lease lasts; zero or less if it is not in force. Needs no turn. */
  public long remainingNanos() {
    return isOver() ? 0 : lease.remainingNanos(core.clocks);
  }

  /** Whether this client has nothing to expect from it any more. Needs no turn. */
  public boolean isOver() {
    return keeping != Keeping.KEPT || state == SessionState.EXPIRED;
  }

  /**
   * Whether this client has closed it or left it, and given back what its threads were giving back
   * at that moment. Needs no turn.
   */
  public boolean isLeft() {
    return keeping != Keeping.KEPT;
  }

  public SessionState state() {
    return state;
  }

  /** The TTL that the store granted last. */
  public Duration ttl() {
    return ttl;
  }

  public SessionHealth health() {
    return new SessionHealth(id, ttl, state, requests.holds.size());
  }

  // --- requests and grants ---

  /** A request is about to be sent. */
  @GuardedBy("turn.lock")
  public void begins(SessionRequest request, Turn turn) {
    requests.pending.put(request.key().request(), request);
  }

  /** A request was granted, has left, or never came. */
  @GuardedBy("turn.lock")
  public void pendsNoMore(SessionRequest request, Turn turn) {
    requests.pending.remove(request.key().request());
    if (requests.pending.isEmpty()) {
      settled.happens(turn);
    }
  }

  /** Completed when no request is on its way any more, while some are. */
  @GuardedBy("turn.lock")
  CompletableFuture<Boolean> settled(Turn turn) {
    return settled.next(turn);
  }

  /** Whether a request was revoked before this client heard of its grant. */
  @GuardedBy("turn.lock")
  public boolean isRevoked(RequestId request, Turn turn) {
    return requests.revoked.contains(request);
  }

  /** A request of it was granted. */
  @GuardedBy("turn.lock")
  public void holds(SessionHold hold, Turn turn) {
    assert !isOver();
    requests.held(hold, turn);
    if (hold.goesByContention()) {
      listen(turn); // Holders are told, too, when the first waiter comes.
    }
  }

  /** Returns the requests that it holds, with those that are being released. */
  @GuardedBy("turn.lock")
  public Set<RequestKey> held(Turn turn) {
    return requests.holds.values().stream().map(SessionHold::key).collect(Collectors.toSet());
  }

  @GuardedBy("turn.lock")
  public void heldNoMore(SessionHold hold, Turn turn) {
    requests.heldNoMore(hold, turn);
  }

  /** Whether a thread has any of what it holds. */
  @GuardedBy("turn.lock")
  public boolean isInUse(Turn turn) {
    return requests.isAnyInUse(turn);
  }

  /** A request of this session has joined a queue. */
  @GuardedBy("turn.lock")
  public void waits(SessionRequest request, Turn turn) {
    listen(turn);
    poller.wanted(request, turn);
  }

  /** A request that waits is to be looked at at another time than before. */
  @GuardedBy("turn.lock")
  public void looksAtAnotherTime(SessionRequest request, Turn turn) {
    poller.wanted(request, turn);
  }

  /** A request of this session has left its queue. */
  @GuardedBy("turn.lock")
  public void waitsNoMore(SessionRequest request, Turn turn) {
    poller.forget(request, turn);
  }

  /** A number that rises whenever hints may have been missed by requests that do not wait yet. */
  @GuardedBy("turn.lock")
  public long hintsMissed(Turn turn) {
    return poller.hintsMissed(turn);
  }

  @GuardedBy("turn.lock")
  void listen(Turn turn) {
    hints.listen(turn);
  }

  /** Has no hints sent until it listens again. */
  @GuardedBy("turn.lock")
  void listenNoMore(Turn turn) {
    hints.stop(turn);
  }

  @GuardedBy("turn.lock")
  public Wakeup wakeup(Turn turn) {
    return hints.wakeup(turn);
  }

  /** Takes a request out of the store in the background. */
  @GuardedBy("turn.lock")
  public void withdraw(Departure departure, Turn turn) {
    withdraw(departure, Withdrawals.NOTHING, turn);
  }

  /**
   * Takes a request out of the store in the background.
   *
   * @param tried done in a turn when it was tried once, or is tried no more
   */
  @GuardedBy("turn.lock")
  public void withdraw(Departure departure, Turn.Step tried, Turn turn) {
    withdrawals.withdraw(departure, tried, turn);
  }

  /** The requests that are being withdrawn at this moment. */
  @GuardedBy("turn.lock")
  List<Departure> beingWithdrawn(Turn turn) {
    return withdrawals.underWay(turn);
  }

  /** Remembers a request that may yet turn up in the store, with its lock-delay, or zero. */
  @GuardedBy("turn.lock")
  public void unsettle(RequestKey request, Duration lockDelay, Turn turn) {
    requests.unsettled.put(request.request(), new Unsettled(request, lockDelay));
    if (requests.unsettled.size() > UNSETTLED_MAX && !retiring) {
      retire(turn);
    }
  }

  /** It takes no further requests, and ends with the last one. */
  @GuardedBy("turn.lock")
  public void retire(Turn turn) {
    retiring = true;
    sessions.retire(this, turn);
    requests.retire(turn);
    closeIfRetired(turn);
  }

  /**
   * To be called whenever a grant or a pending request is gone, or was withdrawn. A request that is
   * not withdrawn yet when the session ends looks as if its holder had died.
   */
  @GuardedBy("turn.lock")
  public void closeIfRetired(Turn turn) {
    if (retiring && isIdle(turn) && beingWithdrawn(turn).isEmpty() && !withdrawsDelayed(turn)) {
      close(turn);
    }
  }

  /**
   * Withdraws the unsettled requests that have a lock-delay, and returns whether there are any. One
   * that has turned up in the store unseen would begin its delay with the end of the session.
   */
  @GuardedBy("turn.lock")
  boolean withdrawsDelayed(Turn turn) {
    List<Departure> delayed = takeDelayed(turn);
    delayed.forEach(departure -> withdraw(departure, turn));
    return !delayed.isEmpty();
  }

  /**
   * Forgets the unsettled requests that have a lock-delay, and returns how they leave the store.
   */
  @GuardedBy("turn.lock")
  List<Departure> takeDelayed(Turn turn) {
    return requests.takeDelayed(turn).stream()
        .map(request -> Departure.atOnce(core, request.key(), request.lockDelay()))
        .toList();
  }

  @GuardedBy("turn.lock")
  public boolean isRetiring(Turn turn) {
    return retiring;
  }

  @GuardedBy("turn.lock")
  boolean isIdle(Turn turn) {
    return requests.isEmpty(turn);
  }

  // --- its lease ---

  /** A request was granted while the lease was not in force: a renewal decides. */
  @GuardedBy("turn.lock")
  public void awaitsLease(SessionRequest request, Turn turn) {
    requests.awaitsLease(request, turn);
    renewNow(turn);
  }

  @GuardedBy("turn.lock")
  public void renewNow(Turn turn) {
    heartbeat.beatNow(turn);
  }

  /** Completed when jeopardy is over: true if the lease is in force again. */
  @GuardedBy("turn.lock")
  public CompletableFuture<Boolean> verdict(Turn turn) {
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
    requests.leaseInForce(turn);
  }

  @GuardedBy("turn.lock")
  void late(String detail, Turn turn) {
    changeState(SessionState.LATE, detail, turn);
  }

  @GuardedBy("turn.lock")
  void jeopardy(String detail, Turn turn) {
    lease = lease.ended(); // Also if the clock that told so is set back: only a renewal saves it.
    changeState(SessionState.JEOPARDY, detail, turn);
    requests.jeopardy(turn);
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
  public void graceIsOver(Turn turn) {
    if (!inForce()) {
      expire(LossReason.LEASE_EXPIRED, "no renewal succeeded within the grace time", turn);
    }
  }

  // --- its end ---

  /** The session is over or given up. Every grant is lost; waiting requests ask again elsewhere. */
  @GuardedBy("turn.lock")
  public void expire(LossReason reason, String detail, Turn turn) {
    if (isOver()) {
      return;
    }
    changeState(SessionState.EXPIRED, detail, turn);
    stop(turn);
    requests.sessionOver(reason, turn);
    if (reason != LossReason.SESSION_ENDED) {
      new SessionEnd(this)
          .attempt(turn); // It may still live in the store, where others wait for it to lapse.
    }
  }

  /** Ends an idle session in the background. */
  @GuardedBy("turn.lock")
  void close(Turn turn) {
    if (!isOver()) {
      leave(Keeping.CLOSED, turn);
      new SessionEnd(this).attempt(turn);
    }
  }

  /** This client renews it no more, and tells the store by itself how it ends. */
  @GuardedBy("turn.lock")
  void leave(Keeping how, Turn turn) {
    if (isOver()) {
      return;
    }
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
}
