package io.holdfast.memory;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Liveness;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the store knows, and what follows from it. Guarded by the store's monitor; {@link
 * #now} is the store's clock, read once at the start of each step.
 */
final class MemoryState {

  final MemoryRules rules;
  private final Expiry expiry;
  final Map<SessionId, MemorySession> sessions = new HashMap<>();
  final NavigableMap<LockName, MemoryLock> locks = new TreeMap<>();
  @Nullable NamespaceSettings settings;

  /** No record that is made again may have a number up to this one. */
  long floor;

  /** When grants may have been lost, if they may in this incarnation. */
  @Nullable Stamp mayHaveLostGrants;

  Stamp now = new Stamp(0, 0);

  private final List<RequestKey> hinted = new ArrayList<>();

  MemoryState(MemoryRules rules, Expiry expiry) {
    this.rules = rules;
    this.expiry = expiry;
  }

  NamespaceSettings settings() {
    if (settings == null) {
      throw new IllegalStateException("No session was opened in this namespace yet.");
    }
    return settings;
  }

  /** The time after which something that began now is certainly over. */
  Duration lease(Duration ttl) {
    return rules.lease(ttl, settings().maxClockStep());
  }

  boolean isOver(SessionId session) {
    return !sessions.containsKey(session);
  }

  boolean hasLapsed(MemorySession session) {
    return rules
        .age(session.renewed, now)
        .filter(age -> age.compareTo(lease(session.ttl)) <= 0)
        .isEmpty();
  }

  /** Returns what a session holds and waits for. */
  List<RequestKey> requestsOf(SessionId session) {
    return locks.values().stream()
        .flatMap(
            lock ->
                Stream.concat(
                    lock.holders().stream()
                        .filter(hold -> !hold.isTombstone)
                        .map(hold -> hold.request),
                    lock.waiting().stream()))
        .filter(request -> request.id().session().equals(session))
        .map(Request::key)
        .toList();
  }

  /**
   * Ends a session. Its requests stay where they are and count for nothing, unless the store is one
   * that takes them away in the same step. Also there a request with a lock-delay stays: a client
   * that closes a session has released that before.
   */
  void end(SessionId id) {
    sessions.remove(id);
    if (expiry == Expiry.BY_OTHERS || !rules.requestsEndWithTheirSession()) {
      return;
    }
    for (MemoryLock lock : locks.values()) {
      lock.removePlacesOf(id);
      for (MemoryLock.Hold hold : lock.holders()) {
        boolean stays = hold.isTombstone || hasDelayLeft(hold);
        if (hold.request.id().session().equals(id) && !stays) {
          passOn(lock, hold.request.id(), null);
        }
      }
      letSharedIn(lock);
    }
  }

  /**
   * Ends lapsed sessions, if the store does so. A session that cannot be judged is given a whole
   * TTL by the present clock.
   */
  void endLapsedSessions() {
    if (expiry == Expiry.BY_OTHERS) {
      return;
    }
    Map.copyOf(sessions)
        .forEach(
            (id, session) -> {
              if (rules.age(session.renewed, now).isEmpty()) {
                session.renewed = rules.restamped(session.renewed, now);
              } else if (hasLapsed(session)) {
                end(id);
              }
            });
  }

  Liveness liveness(SessionId id) {
    MemorySession session = sessions.get(id);
    if (session == null) {
      return Liveness.ENDED;
    }
    return hasLapsed(session) ? Liveness.LAPSED : Liveness.LIVE;
  }

  Liveness liveness(MemoryLock.Hold hold) {
    Liveness liveness = liveness(hold.request.id().session());
    Optional<Duration> left = stayLeft(hold);
    if (hold.isTombstone || hold.isInDelay()) {
      boolean stays = left.filter(time -> !time.isZero()).isPresent();
      boolean isOrphan = hold.isTombstone && liveness == Liveness.ENDED;
      return stays && (rules.staysWithoutSession() || !isOrphan)
          ? Liveness.STAYING
          : Liveness.ENDED;
    }
    boolean due = liveness != Liveness.ENDED && left.filter(Duration::isZero).isPresent();
    return due ? Liveness.REVOCATION_DUE : liveness;
  }

  /** Whether its lock-delay is still to begin when it is overtaken. */
  boolean hasDelayLeft(MemoryLock.Hold hold) {
    return !hold.isTombstone
        && hold.request.hasLockDelay()
        && rules.beginsDelay(hold.isDelayUsedUp, hold.stay != null);
  }

  /** The session of a holder with a lock-delay is over: from now on the holder stays. */
  void beginDelay(MemoryLock.Hold hold) {
    hold.stay = new MemoryStay(Stay.Reason.LOCK_DELAY, now, hold.request.lockDelay());
    hold.isDelayUsedUp = true;
  }

  /** The holder is given back, and stays for so long, which the next waiter is to learn. */
  void bury(MemoryLock lock, MemoryLock.Hold hold, Duration length) {
    hold.stay = new MemoryStay(Stay.Reason.AT_LEAST, now, length);
    hold.isTombstone = true;
    lock.waiting().stream().findFirst().ifPresent(next -> hinted.add(next.key()));
  }

  /**
   * The holder is revoked and stays for so long, or for the rest of its present stay if that is
   * less.
   */
  void revoke(MemoryLock.Hold hold, Duration length) {
    MemoryStay next = new MemoryStay(Stay.Reason.REVOKED, now, length);
    boolean isFirst = hold.stay == null || !rules.firstMarkCounts();
    Duration unused = stayLeft(hold).orElse(Duration.ZERO); // Restamps what cannot be judged.
    MemoryStay present = hold.stay;
    hold.stay = present == null || isFirst ? next : present.endingFirst(next, now);
  }

  /**
   * Returns how long until a request may be removed by others, if its session is not renewed; empty
   * if it may be looked at more closely, or removed, at once.
   */
  Optional<Duration> dueIn(Request request) {
    SessionId session = request.id().session();
    return liveness(session) == Liveness.LIVE ? lapsesIn(session) : Optional.empty();
  }

  /** As for a request that waits; a holder may be removed when it was revoked long enough ago. */
  Optional<Duration> dueIn(MemoryLock.Hold hold) {
    return switch (liveness(hold)) {
      case LIVE ->
          Stream.concat(
                  lapsesIn(hold.request.id().session()).stream(), revocationDueIn(hold).stream())
              .min(Comparator.naturalOrder());
      case STAYING -> stayLeft(hold);
      case LAPSED, ENDED, REVOCATION_DUE -> Optional.empty();
    };
  }

  /** When the first of the holders may be removed; empty if one may be looked at more closely. */
  Optional<Duration> firstDueIn(MemoryLock lock) {
    List<Optional<Duration>> due = lock.holders().stream().map(this::dueIn).toList();
    return due.stream().allMatch(Optional::isPresent)
        ? due.stream().flatMap(Optional::stream).min(Comparator.naturalOrder())
        : Optional.empty();
  }

  private Optional<Duration> lapsesIn(SessionId id) {
    return Optional.ofNullable(sessions.get(id))
        .map(session -> remaining(session.renewed, lease(session.ttl)));
  }

  /** The rest of a time that began then; where its age cannot be judged, all of it. */
  private Duration remaining(Stamp then, Duration time) {
    Duration age = rules.age(then, now).orElse(Duration.ZERO);
    return age.compareTo(time) > 0 ? Duration.ZERO : time.minus(age).plusMillis(1);
  }

  /** Returns after which time a revoked holder may be removed; empty if it was not revoked. */
  Optional<Duration> revocationDueIn(MemoryLock.Hold hold) {
    if (!hold.isRevoked()) {
      return Optional.empty();
    }
    return isOver(hold.request.id().session()) ? Optional.of(Duration.ZERO) : stayLeft(hold);
  }

  /** The rest of a holder's stay, by the present clock; empty if it has none. */
  Optional<Duration> stayLeft(MemoryLock.Hold hold) {
    MemoryStay stay = hold.stay;
    if (stay == null) {
      return Optional.empty();
    }
    if (rules.stayAge(stay.began(), now).isEmpty()) {
      // Nothing of it has certainly passed: it begins again.
      stay = new MemoryStay(stay.reason(), rules.restampedStay(stay.began(), now), stay.length());
      hold.stay = stay;
    }
    Stamp began = hold.isRevoked() ? rules.revocationBegan(hold.since, stay.began()) : stay.began();
    Duration age = rules.stayAge(began, now).orElse(Duration.ZERO);
    return Optional.of(
        age.compareTo(stay.length()) > 0 ? Duration.ZERO : stay.length().minus(age).plusMillis(1));
  }

  /** Returns for how long nothing is granted, because grants may have been lost. */
  Optional<Duration> restartGuard() {
    if (mayHaveLostGrants == null || settings == null) {
      return Optional.empty();
    }
    if (mayHaveLostGrants.age(now).isEmpty()) {
      mayHaveLostGrants = rules.restampedGuard(mayHaveLostGrants, now);
    }
    Duration guard = rules.restartGuard(lease(settings.maxTtl()));
    Duration age = mayHaveLostGrants.age(now).orElse(Duration.ZERO);
    return age.compareTo(guard) > 0
        ? Optional.empty()
        : Optional.of(guard.minus(age).plusMillis(1));
  }

  MemoryLock lock(LockName name) {
    return locks.computeIfAbsent(name, missing -> new MemoryLock(missing, now));
  }

  /** Makes the request the holder of a free lock, with a new number. */
  void grant(MemoryLock lock, Request request) {
    lock.begin(request, rules.number(now.micros(), lock.number, floor), now);
  }

  /** Makes a waiter the holder of a lock, with a new number; its place is left to the caller. */
  void promote(MemoryLock lock, Request waiter) {
    long last = lock.number;
    long next = rules.number(now.micros(), last, floor);
    lock.begin(waiter, rules.handedOn(last, next), now);
    hinted.add(waiter.key());
  }

  /**
   * A holder leaves. If it was the last one, the next waiter holds the lock, or the newcomer if no
   * request waits.
   */
  void passOn(MemoryLock lock, RequestId leaver, @Nullable Request newcomer) {
    lock.removeHold(leaver);
    if (rules.endsTheRun(lock.holders().size())) {
      List<Request> waiting = lock.waiting();
      if (!waiting.isEmpty()) {
        Request next = waiting.get(0);
        lock.removePlace(next.id());
        promote(lock, next);
      } else if (newcomer != null) {
        grant(lock, newcomer);
      } else {
        lock.begin(null, lock.number, now);
      }
    }
    letSharedIn(lock);
  }

  /**
   * The shared requests before the first waiting exclusive one hold the lock together with a run
   * that may be joined.
   */
  void letSharedIn(MemoryLock lock) {
    while (mayBeExtended(lock)) {
      Optional<Request> next = lock.waiting().stream().findFirst().filter(MemoryState::isShared);
      if (next.isEmpty()) {
        return;
      }
      lock.removePlace(next.get().id());
      lock.join(next.get(), now);
      hinted.add(next.get().key());
    }
  }

  /**
   * Whether further shared requests may get the number of the present run. Not if grants may have
   * been lost since it was given: an exclusive grant may have followed it that this state does not
   * know of.
   */
  boolean mayBeJoined(MemoryLock lock) {
    return lock.isShared()
        && (mayHaveLostGrants == null
            || rules.runIsPresent(lock.since.incarnation(), mayHaveLostGrants.incarnation()));
  }

  private boolean mayBeExtended(MemoryLock lock) {
    return lock.isShared()
        && (mayHaveLostGrants == null
            || rules.runMayBeExtended(lock.since.incarnation(), mayHaveLostGrants.incarnation()));
  }

  /** One more request has the number of a run at once. */
  void join(MemoryLock lock, Request request) {
    lock.join(request, now);
    lock.number = rules.joined(lock.number, rules.number(now.micros(), lock.number, floor));
  }

  static boolean isShared(Request request) {
    return request.mode() == LockMode.SHARED;
  }

  /** The exclusive holder shares the lock from now on, under a new number. */
  long downgrade(MemoryLock lock, MemoryLock.Hold hold) {
    long last = lock.number;
    Request shared = hold.request.with(LockMode.SHARED);
    lock.begin(shared, rules.downgraded(last, rules.number(now.micros(), last, floor)), now);
    lock.holders().get(0).stay = hold.stay;
    lock.holders().get(0).isDelayUsedUp = hold.isDelayUsedUp;
    letSharedIn(lock);
    return lock.number;
  }

  /** Returns the waiters for whom something has changed, once. */
  List<RequestKey> takeHinted() {
    List<RequestKey> taken = List.copyOf(hinted);
    hinted.clear();
    return taken;
  }

  MemoryState copy() {
    MemoryState copy = new MemoryState(rules, expiry);
    copy.settings = settings;
    copy.floor = floor;
    copy.mayHaveLostGrants = mayHaveLostGrants;
    sessions.forEach((id, session) -> copy.sessions.put(id, session.copy()));
    locks.forEach((name, lock) -> copy.locks.put(name, lock.copy()));
    return copy;
  }
}
