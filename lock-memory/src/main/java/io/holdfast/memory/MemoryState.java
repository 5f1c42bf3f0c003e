package io.holdfast.memory;

import io.holdfast.Liveness;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
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

  private final List<RequestKey> promoted = new ArrayList<>();

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
                    lock.holders().stream().map(hold -> hold.request), lock.waiting().stream()))
        .filter(request -> request.id().session().equals(session))
        .map(Request::key)
        .toList();
  }

  /**
   * Ends a session. Its requests stay where they are and count for nothing, unless the store is one
   * that takes them away in the same step.
   */
  void end(SessionId id) {
    sessions.remove(id);
    if (expiry == Expiry.BY_OTHERS || !rules.requestsEndWithTheirSession()) {
      return;
    }
    for (MemoryLock lock : locks.values()) {
      lock.removePlacesOf(id);
      for (MemoryLock.Hold hold : lock.holders()) {
        if (hold.request.id().session().equals(id)) {
          passOn(lock, hold.request.id(), null);
        }
      }
      letSharedIn(lock);
    }
  }

  /**
   * Ends what has lapsed, if the store does so. What cannot be judged is given a whole TTL by the
   * present clock.
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
    boolean due =
        liveness != Liveness.ENDED && revocationDueIn(hold).filter(Duration::isZero).isPresent();
    return due ? Liveness.REVOCATION_DUE : liveness;
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
    if (liveness(hold) != Liveness.LIVE) {
      return Optional.empty();
    }
    Optional<Duration> lapses = lapsesIn(hold.request.id().session());
    return Stream.concat(lapses.stream(), revocationDueIn(hold).stream())
        .min(Comparator.naturalOrder());
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

  /** What is left of a time that began then; where its age cannot be judged, all of it. */
  private Duration remaining(Stamp then, Duration time) {
    Duration age = rules.age(then, now).orElse(Duration.ZERO);
    return age.compareTo(time) > 0 ? Duration.ZERO : time.minus(age).plusMillis(1);
  }

  /** Returns after which time a revoked holder may be removed; empty if it was not revoked. */
  Optional<Duration> revocationDueIn(MemoryLock.Hold hold) {
    if (hold.revoked == null) {
      return Optional.empty();
    }
    MemorySession session = sessions.get(hold.request.id().session());
    if (session == null) {
      return Optional.of(Duration.ZERO);
    }
    if (rules.age(hold.revoked, now).isEmpty()) {
      hold.revoked = rules.restampedRevocation(hold.revoked, now);
    }
    // Where the age cannot be judged, nothing of the lease has certainly passed.
    Stamp began = rules.revocationBegan(hold.since, hold.revoked);
    return Optional.of(remaining(began, lease(session.ttl)));
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
    promoted.add(waiter.key());
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
    while (mayBeJoined(lock)) {
      Optional<Request> next = lock.waiting().stream().findFirst().filter(MemoryState::isShared);
      if (next.isEmpty()) {
        return;
      }
      lock.removePlace(next.get().id());
      lock.join(next.get(), now);
      promoted.add(next.get().key());
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

  static boolean isShared(Request request) {
    return request.mode() == LockMode.SHARED;
  }

  /** The exclusive holder shares the lock from now on, under a new number. */
  long downgrade(MemoryLock lock, MemoryLock.Hold hold) {
    long last = lock.number;
    Request shared = hold.request.with(LockMode.SHARED);
    lock.begin(shared, rules.downgraded(last, rules.number(now.micros(), last, floor)), now);
    lock.holders().get(0).revoked = hold.revoked;
    letSharedIn(lock);
    return lock.number;
  }

  /** Returns the requests that became heads while they waited, once. */
  List<RequestKey> takePromoted() {
    List<RequestKey> taken = List.copyOf(promoted);
    promoted.clear();
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
