package io.holdfast.engine;

import io.holdfast.Health.SessionHealth;
import io.holdfast.LockEvent;
import io.holdfast.LossReason;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.SessionState;
import io.holdfast.engine.Core.Turn;
import io.holdfast.engine.Seam.Lane;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Opened;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.util.ArrayList;
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

  /** Doubled with each attempt of a client that closes. */
  private static final long END_PAUSE_NANOS = 10_000_000;

  final SessionId id;
  final Sessions.Key key;
  final Opened opened;
  final Lookout lookout;

  /** Requests that were granted and not yet released or lost. */
  final Map<RequestId, HeldGrant> grants = new LinkedHashMap<>();

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

  /** Closed by this client, whatever its state was. */
  private volatile boolean closed;

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
    this.lookout = new Lookout(core, this);
    this.withdrawals = new Withdrawals(core, this);
    this.hints = new Hints(core, this);
    this.heartbeat = new Heartbeat(core, this, lease.sent(), opened);
  }

  void begin() {
    core.emit(new LockEvent.SessionOpened(id, opened.ttl()));
    heartbeat.begin();
  }

  RequestId nextRequest() {
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

  /** Needs no turn. */
  boolean isOver() {
    return closed || state == SessionState.EXPIRED;
  }

  SessionState state() {
    return state;
  }

  /** Completed when jeopardy is over: true if the lease is in force again. */
  CompletableFuture<Boolean> verdict() {
    return verdict;
  }

  /** A request of this session has joined a queue. */
  void waits(PendingRequest request) {
    listen();
    lookout.wanted(request);
  }

  void listen() {
    hints.listen();
  }

  Wakeup wakeup() {
    return hints.wakeup();
  }

  /** Takes a request out of the store in the background. */
  void withdraw(RequestKey key) {
    withdrawals.withdraw(key);
  }

  void renewNow() {
    heartbeat.beatNow();
  }

  /** A renewal was answered: same grants, same tokens, a new lease. */
  void renewed(Lease renewed, Duration granted) {
    lease = renewed;
    ttl = granted;
    if (!inForce()) {
      return; // The answer took longer than the lease: it proves nothing about the present.
    }
    changeState(SessionState.SAFE, "renewed");
    CompletableFuture<Boolean> told = verdict;
    verdict = new CompletableFuture<>();
    core.then(() -> told.complete(true));
    for (PendingRequest request : List.copyOf(pending.values())) {
      request.leaseInForce();
    }
  }

  void late(String detail) {
    changeState(SessionState.LATE, detail);
  }

  void jeopardy(String detail) {
    lease = lease.ended(); // Also if the clock that told so is set back: only a renewal saves it.
    changeState(SessionState.JEOPARDY, detail);
    for (HeldGrant grant : grants.values()) {
      grant.tellTrouble();
    }
  }

  private void changeState(SessionState to, String detail) {
    if (state != to) {
      core.emit(new LockEvent.SessionStateChanged(id, state, to, detail));
      state = to;
    }
  }

  /** The session is over or given up. Every grant is lost; who waited asks again elsewhere. */
  void expire(LossReason reason, String detail) {
    if (isOver()) {
      return;
    }
    changeState(SessionState.EXPIRED, detail);
    leave();
    for (HeldGrant grant : List.copyOf(grants.values())) {
      grant.lose(reason);
    }
    grants.clear();
    List<PendingRequest> waiting = List.copyOf(pending.values());
    pending.clear();
    for (PendingRequest request : waiting) {
      request.sessionOver();
    }
    if (reason != LossReason.SESSION_ENDED) {
      end(1); // It may still live in the store, where others wait for it to lapse.
    }
  }

  /** Remembers a request that may yet turn up in the store. */
  void unsettle(RequestKey request) {
    unsettled.put(request.request(), request);
    if (unsettled.size() > UNSETTLED_MAX && !retiring) {
      retire();
    }
  }

  /** It takes no further requests, and ends with the last one. */
  void retire() {
    retiring = true;
    sessions.retire(this);
    closeIfRetired();
  }

  /** To be called whenever a grant or a pending request is gone. */
  void closeIfRetired() {
    if (retiring && isIdle()) {
      close();
    }
  }

  boolean isIdle() {
    return grants.isEmpty() && pending.isEmpty();
  }

  /** Ends an idle session in the background. */
  void close() {
    if (!isOver()) {
      closed = true;
      core.emit(new LockEvent.SessionClosed(id));
      leave();
      end(1);
    }
  }

  /**
   * The client closes: ends the session, which is one call however much it holds and leaves nothing
   * held; then releases what is granted or waits, so that those who wait have it at once. Complete
   * when the store has answered everything.
   */
  CompletableFuture<Boolean> giveBackAll() {
    List<RequestKey> keys = new ArrayList<>();
    grants.values().forEach(grant -> keys.add(grant.giveUp(LossReason.CLIENT_CLOSED)));
    keys.addAll(withdrawals.underWay());
    closed = true;
    core.emit(new LockEvent.SessionClosed(id));
    leave();
    return answered(deadline -> core.backend.end(id, EndIf.CLOSED, deadline))
        .thenCompose(
            ended -> {
              try (Turn next = core.turn()) {
                return released(ended && takesAllWithIt() ? List.of() : keys);
              }
            })
        .thenApply(released -> true);
  }

  /**
   * The process exits, but keeps what it holds: complete when the store has answered whatever is
   * being withdrawn.
   */
  CompletableFuture<Boolean> withdrawAll() {
    return released(withdrawals.underWay()).thenApply(released -> true);
  }

  /**
   * The client closes, but the session keeps its grants. Complete when the store has answered
   * whatever is being withdrawn.
   */
  CompletableFuture<Boolean> orphan() {
    List<RequestKey> keys = new ArrayList<>(withdrawals.underWay());
    for (HeldGrant grant : grants.values()) {
      boolean isLost = grant.gone() != null;
      RequestKey key = grant.giveUp(LossReason.ORPHANED);
      if (isLost) {
        keys.add(key);
      }
    }
    closed = true;
    core.emit(new LockEvent.SessionClosed(id));
    leave();
    return released(keys).thenApply(released -> true);
  }

  /** Whether the requests of a session that ends leave their queues with it. */
  private boolean takesAllWithIt() {
    return core.backend.capabilities().expiry() == Expiry.BY_STORE;
  }

  private CompletableFuture<Void> released(List<RequestKey> keys) {
    return CompletableFuture.allOf(
        keys.stream()
            .map(
                key ->
                    answered(deadline -> core.backend.release(key.name(), key.request(), deadline)))
            .toArray(CompletableFuture<?>[]::new));
  }

  /** Calls the store in the background; complete when it has answered or gone on failing. */
  private CompletableFuture<Boolean> answered(Seam.Verb<?> verb) {
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    attempt(verb, answered, 1);
    return answered;
  }

  private void attempt(Seam.Verb<?> verb, CompletableFuture<Boolean> answered, int attempt) {
    core.call(
        Lane.BACKGROUND,
        Core.CALL_TIMEOUT,
        verb,
        value -> core.then(() -> answered.complete(true)),
        failure -> {
          if (attempt < END_ATTEMPTS && Failures.mayPass(failure)) {
            core.after(END_PAUSE_NANOS << attempt, () -> attempt(verb, answered, attempt + 1));
          } else {
            core.then(() -> answered.complete(false));
          }
        });
  }

  private void leave() {
    sessions.forget(this);
    heartbeat.stop();
    lookout.stop();
    hints.stop();
    CompletableFuture<Boolean> told = verdict;
    core.then(() -> told.complete(false));
  }

  private void end(int attempt) {
    core.call(
        Lane.BACKGROUND,
        Core.CALL_TIMEOUT,
        deadline -> core.backend.end(id, EndIf.CLOSED, deadline),
        ended -> {},
        failure -> {
          if (attempt < END_ATTEMPTS) {
            core.after(ttl.toNanos() / 4, () -> end(attempt + 1));
          } // Else it ends by itself: nobody renews it any more.
        });
  }

  /** The TTL that the store granted last. */
  Duration ttl() {
    return ttl;
  }

  SessionHealth health() {
    return new SessionHealth(id, ttl, state, grants.size());
  }
}
