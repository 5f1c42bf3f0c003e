package io.holdfast.memory;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Stay;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Event;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;

/** The verbs, each one atomic step on the store. Read it as their specification. */
class MemoryBackend implements LockBackend, ResumableSessions {

  private final MemoryStore store;
  private final BackendOptions options;
  private final MemoryConnection connection;

  MemoryBackend(MemoryStore store, BackendOptions options, Runnable beforeStep) {
    this.store = store;
    this.options = options;
    this.connection = new MemoryConnection(store, beforeStep);
  }

  @Override
  public Capabilities capabilities() {
    return new Capabilities(
        store.options().wakeup(),
        Order.FIFO,
        store.options().expiry(),
        modes(),
        Set.of(Event.values()),
        Losses.of(options.restartGuard()),
        stays());
  }

  Set<Stays> stays() {
    return Set.of(Stays.values());
  }

  Set<LockMode> modes() {
    return Set.of(LockMode.EXCLUSIVE, LockMode.SHARED);
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public Opened open(SessionSpec spec, Deadline deadline) {
    return verb(
        deadline,
        state -> {
          NamespaceSettings settings =
              state.settings == null ? options.namespace().orDefaults() : state.settings;
          options.namespace().requireMetBy(settings, describe());
          settings.requireReadable(describe());
          settings.requireTtl(spec.ttl());
          // Nothing is changed before this: a refused opening leaves no namespace behind.
          state.settings = settings;
          state.sessions.putIfAbsent(spec.id(), new MemorySession(spec.ttl(), state.now));
          return new Opened(spec.ttl(), settings, Optional.of(state.now.instant()));
        });
  }

  @Override
  public Renewed renew(SessionId id, Deadline deadline) {
    return verb(
        deadline,
        state -> {
          MemorySession session = state.sessions.get(id);
          if (session == null) {
            return new Renewed.Over();
          }
          // On no other condition: a session is over when it was ended, not when its time has
          // passed, and it does not matter which incarnation wrote that time.
          session.renewed = state.now;
          return new Renewed.Alive(
              session.ttl, session.notices(state.now), Optional.of(state.now.instant()));
        });
  }

  @Override
  public Optional<Resumed> resume(SessionId id, Deadline deadline) {
    return verb(
        deadline,
        state ->
            Optional.ofNullable(state.sessions.get(id))
                .map(
                    session -> {
                      session.renewed = state.now;
                      return new Resumed(session.ttl, state.settings(), state.requestsOf(id));
                    }));
  }

  @Override
  public Ended end(SessionId id, EndIf when, Deadline deadline) {
    return verb(
        deadline,
        state -> {
          MemorySession session = state.sessions.get(id);
          if (session != null && when == EndIf.LAPSED) {
            if (state.rules.age(session.renewed, state.now).isEmpty()) {
              // By no clock of ours: it is given the present time, and so a whole TTL.
              session.renewed = state.rules.restamped(session.renewed, state.now);
              return Ended.ALIVE;
            }
            if (!state.hasLapsed(session)) {
              return Ended.ALIVE;
            }
          }
          state.end(id);
          return Ended.OVER;
        });
  }

  @Override
  public Attempt grab(Request request, Deadline deadline) {
    return verb(
        deadline,
        state -> whyNothingIsGranted(state, request).orElseGet(() -> takeOrJoin(state, request)));
  }

  private Attempt takeOrJoin(MemoryState state, Request request) {
    MemoryLock lock = state.lock(request.name());
    if (lock.hasTombstoneOf(request.id())) {
      return Answers.attempt(state, request); // A late copy: its owner has given it back.
    }
    if (!lock.isHeld()) {
      state.grant(lock, request);
    } else if (mayShare(state, lock, request)) {
      state.join(lock, request);
    } else if (mayJoin(lock, request)) {
      lock.addPlace(state.rules.placeOfNewcomer(lock.waiting().size()), request);
    }
    return afterGrab(state, request);
  }

  /** A shared request joins a run at once only if it passes no request that waits. */
  private static boolean mayShare(MemoryState state, MemoryLock lock, Request request) {
    return MemoryState.isShared(request)
        && state.mayBeJoined(lock)
        && state.rules.mayPass(lock.waiting().size())
        && !lock.isHeldBy(request.id());
  }

  /** How a request stands after a grab, which may have found the queue full. */
  final Attempt afterGrab(MemoryState state, Request request) {
    Attempt attempt = Answers.attempt(state, request);
    boolean isFull =
        attempt instanceof Attempt.Refused
            && request.ifHeld() == IfHeld.QUEUE
            && state.lock(request.name()).waiting().size() >= maxWaiters();
    return isFull ? new Attempt.QueueFull("maxWaiters=" + maxWaiters()) : attempt;
  }

  private int maxWaiters() {
    return options.maxWaiters().orElse(store.options().queueMax());
  }

  /** A request that holds or waits already stays where it is: repeating a grab is the same wish. */
  final boolean mayJoin(MemoryLock lock, Request request) {
    return request.ifHeld() == IfHeld.QUEUE
        && !lock.isHeldBy(request.id())
        && !lock.hasPlace(request.id())
        && lock.waiting().size() < maxWaiters();
  }

  /** Returns why no lock at all is granted to a request at present. */
  final Optional<Attempt> whyNothingIsGranted(MemoryState state, Request request) {
    if (state.isOver(request.id().session())) {
      return Optional.of(new Attempt.SessionOver());
    }
    String why = describe() + " was started again and may have lost grants whose leases still run.";
    return guardLeft(state).map(remaining -> new Attempt.Delayed(remaining, why));
  }

  private Optional<Duration> guardLeft(MemoryState state) {
    return options.restartGuard() == RestartGuard.OFF ? Optional.empty() : state.restartGuard();
  }

  @Override
  public Attempt overtake(Request request, Observed observed, Deadline deadline) {
    return verb(
        deadline,
        state ->
            whyNothingIsGranted(state, request).orElseGet(() -> remove(state, request, observed)));
  }

  private Attempt remove(MemoryState state, Request request, Observed observed) {
    Optional<MemoryLock.Hold> delayed =
        observed(state, observed)
            .filter(state::hasDelayLeft)
            .filter(hold -> state.isOver(hold.request.id().session()));
    if (delayed.isPresent()) {
      state.beginDelay(delayed.get());
    } else if (mayOvertake(state, observed)) {
      // The next waiter has the lock; this request only if none waits.
      state.passOn(state.lock(observed.name()), observed.request(), request);
    }
    return Answers.attempt(state, request);
  }

  /** Only a holder that was observed, and only if it does not count any more, may be removed. */
  final boolean mayOvertake(MemoryState state, Observed observed) {
    return observed(state, observed)
        .filter(hold -> state.rules.mayBeOvertaken(state.liveness(hold)))
        .isPresent();
  }

  /** Whether the lock is still held by the request, and by the number, that was observed. */
  final boolean isAsObserved(MemoryState state, Observed observed) {
    return observed(state, observed).isPresent();
  }

  /** Returns the holder that was observed, if it still is one. */
  final Optional<MemoryLock.Hold> observed(MemoryState state, Observed observed) {
    MemoryLock lock = state.locks.get(observed.name());
    return lock == null
        ? Optional.empty()
        : lock.holders().stream()
            .filter(hold -> state.rules.isAsObserved(observed, lock.observed(hold)))
            .findFirst();
  }

  @Override
  public Released release(LockName name, RequestId request, Deadline deadline) {
    return verb(
        deadline,
        state -> {
          MemoryLock lock = state.locks.get(name);
          if (lock == null) {
            return Released.NOTHING;
          }
          if (lock.hasTombstoneOf(request) && state.rules.releaseLeavesWhatStays()) {
            return Released.NOTHING;
          }
          if (lock.isHeldBy(request)) {
            MemoryLock.Hold hold = lock.holdOf(request).orElseThrow();
            if (state.hasDelayLeft(hold) && !state.rules.releaseLeavesNoDelay()) {
              state.beginDelay(hold);
              return Released.STAYS;
            }
            boolean wasAlone = lock.holders().size() == 1;
            state.passOn(lock, request, null);
            return wasAlone ? lock.isHeld() ? Released.HANDED_ON : Released.FREED : Released.SHARED;
          }
          if (!lock.removePlace(request)) {
            return Released.NOTHING;
          }
          if (state.rules.withdrawalLetsSharedIn()) {
            state.letSharedIn(lock);
          }
          return Released.WAS_WAITING;
        });
  }

  @Override
  public Released releaseAfter(RequestKey key, Duration stay, Deadline deadline) {
    boolean stays =
        verb(
            deadline,
            state -> {
              MemoryLock lock = state.locks.get(key.name());
              if (lock == null) {
                return false;
              }
              Optional<MemoryLock.Hold> hold = lock.holdOf(key.request());
              if (hold.isEmpty() || hold.get().isRevoked()) {
                return false;
              }
              if (!hold.get().isTombstone) {
                state.bury(lock, hold.get(), stay);
              }
              return true;
            });
    return stays ? Released.STAYS : release(key.name(), key.request(), deadline);
  }

  @Override
  public OptionalLong downgrade(RequestKey key, Deadline deadline) {
    return verb(
        deadline,
        state -> {
          MemoryLock lock = state.locks.get(key.name());
          if (lock == null || !lock.isHeldBy(key.request()) || lock.hasTombstoneOf(key.request())) {
            return OptionalLong.empty();
          }
          MemoryLock.Hold hold = lock.holdOf(key.request()).orElseThrow();
          return OptionalLong.of(hold.isShared() ? lock.number : state.downgrade(lock, hold));
        });
  }

  @Override
  public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
    return verb(
        deadline, state -> requests.stream().map(key -> Answers.standing(state, key)).toList());
  }

  @Override
  public Revocation revoke(Observed observed, RevokeWhen when, Deadline deadline) {
    return revocation(
        observed,
        deadline,
        (state, hold) -> {
          markSession(state, observed, Duration.ZERO);
          markRecord(state, hold);
          return mayLeave(state, observed, when);
        });
  }

  @Override
  public Revocation revokeIn(Observed observed, Duration notice, Deadline deadline) {
    return revocation(
        observed,
        deadline,
        (state, hold) -> {
          MemorySession session = state.sessions.get(observed.request().session());
          if (session != null) {
            if (state.rules.noticeIsTold()) {
              markSession(state, observed, notice);
            }
            state.revoke(hold, state.lease(state.rules.noticeStay(notice, session.ttl)));
          }
          return !state.hasDelayLeft(hold) && mayLeave(state, observed, RevokeWhen.SAFELY);
        });
  }

  /**
   * Revokes a holder that is as observed: one that only stays leaves at once.
   *
   * @param mark marks it as revoked, and tells whether it leaves at once
   */
  private Revocation revocation(
      Observed observed, Deadline deadline, BiPredicate<MemoryState, MemoryLock.Hold> mark) {
    return verb(
        deadline,
        state -> {
          if (!isAsObserved(state, observed)) {
            return new Revocation.Changed();
          }
          MemoryLock.Hold hold = observed(state, observed).orElseThrow();
          if (state.liveness(hold) == Liveness.STAYING || mark.test(state, hold)) {
            state.passOn(state.lock(observed.name()), hold.request.id(), null);
            return new Revocation.Freed();
          }
          return new Revocation.Marked(leavesIn(state, hold));
        });
  }

  /**
   * Whether a revoked head leaves at once. Not safely during the restart guard: that its session is
   * over says nothing then of what its holder believes.
   */
  final boolean mayLeave(MemoryState state, Observed observed, RevokeWhen when) {
    if (when == RevokeWhen.NOW) {
      return isAsObserved(state, observed);
    }
    boolean guarded = guardLeft(state).isPresent() && state.rules.revocationHeedsTheGuard();
    return !guarded && mayOvertake(state, observed);
  }

  /** After which time a revoked holder may leave. */
  final Duration leavesIn(MemoryState state, MemoryLock.Hold hold) {
    Duration due = state.revocationDueIn(hold).orElse(Duration.ZERO);
    return guardLeft(state).filter(guard -> guard.compareTo(due) > 0).orElse(due);
  }

  /** From now on every renewal tells the holder, also when the lock has passed on. */
  final void markSession(MemoryState state, Observed observed, Duration notice) {
    MemorySession session = state.sessions.get(observed.request().session());
    if (session != null) {
      MemoryStay left = new MemoryStay(Stay.Reason.REVOKED, state.now, notice);
      if (!state.rules.stricterNoticeCounts()) {
        session.acknowledge(observed.request());
      }
      session.mark(observed.request(), left, state.now);
    }
  }

  /** It stays for one whole lease; what the request had asked for beyond its session is over. */
  final void markRecord(MemoryState state, MemoryLock.Hold hold) {
    MemorySession session = state.sessions.get(hold.request.id().session());
    state.revoke(hold, session == null ? Duration.ZERO : state.lease(session.ttl));
    hold.isDelayUsedUp = true;
  }

  @Override
  public void acknowledge(RequestId request, Deadline deadline) {
    verb(
        deadline,
        state ->
            Optional.ofNullable(state.sessions.get(request.session()))
                .filter(session -> session.acknowledge(request)));
  }

  @Override
  public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
    return verb(
        deadline,
        state ->
            Optional.ofNullable(state.locks.get(name)).map(lock -> Answers.record(state, lock)));
  }

  @Override
  public List<LockRecord> list(
      String prefix, Optional<LockName> after, int limit, Deadline deadline) {
    return verb(
        deadline,
        state ->
            state.locks.values().stream()
                .filter(MemoryLock::isHeld)
                .filter(lock -> lock.name.value().startsWith(prefix))
                .filter(lock -> after.isEmpty() || lock.name.compareTo(after.get()) > 0)
                .limit(limit)
                .map(lock -> Answers.record(state, lock))
                .toList());
  }

  @Override
  public int sweep(Deadline deadline) {
    return verb(deadline, Sweep::of);
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    return store.options().wakeup() == Wakeup.PUSH
        ? store.listen(session, listener)
        : LockBackend.super.listen(session, listener, deadline);
  }

  @Override
  public void close() {
    connection.close();
  }

  final MemoryRules rules() {
    return store.options().rules();
  }

  /** A verb of one step, or the first of several: until here, nothing has changed. */
  final <T> T verb(Deadline deadline, Function<MemoryState, T> step) {
    return connection.first(deadline, step);
  }

  /** A further step of a verb. */
  final <T> T step(Deadline deadline, Function<MemoryState, T> step) {
    return connection.further(deadline, step);
  }
}
