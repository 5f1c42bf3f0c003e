package io.holdfast.memory;

import io.holdfast.SessionId;
import io.holdfast.record.Liveness;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Deletes records that no client needs any more, so many at a time. */
final class Sweep {

  private static final Duration KEPT = Duration.ofDays(1);
  private static final int BATCH = 500;

  private Sweep() {}

  static int of(MemoryState state) {
    List<MemoryLock> free = state.locks.values().stream().filter(MemoryLock::isFree).toList();
    List<MemoryLock> old =
        free.stream().filter(lock -> isPast(state, lock.since, KEPT)).limit(BATCH).toList();
    for (MemoryLock lock : old) {
      // The floor first: between the two, a number may be skipped but never given again.
      state.floor = state.rules.raised(state.floor, lock.number);
      state.locks.remove(lock.name);
    }
    List<MemoryLock> orphans = orphans(state);
    // Its holder is over and no request came to overtake it: free from now on, and so swept later.
    orphans.forEach(lock -> removeEnded(state, lock));
    List<SessionId> lapsed =
        state.sessions.entrySet().stream()
            .filter(entry -> isPast(state, entry.getValue()))
            .map(entry -> entry.getKey())
            .limit(BATCH)
            .toList();
    lapsed.forEach(state.sessions::remove);
    restampWhatCannotBeJudged(state);
    return old.size() + orphans.size() + lapsed.size();
  }

  private static List<MemoryLock> orphans(MemoryState state) {
    return state.locks.values().stream()
        .filter(lock -> hasOnlyEnded(state, lock))
        .filter(lock -> isPast(state, lock.since, KEPT))
        .limit(BATCH)
        .toList();
  }

  private static boolean hasOnlyEnded(MemoryState state, MemoryLock lock) {
    return lock.isHeld()
        && lock.holders().stream().allMatch(hold -> liveness(state, hold) == Liveness.ENDED);
  }

  private static Liveness liveness(MemoryState state, MemoryLock.Hold hold) {
    return state.liveness(state.rules.sweepRestampsStays() ? hold : hold.copy());
  }

  /** One with a lock-delay stays for that long first. */
  private static void removeEnded(MemoryState state, MemoryLock lock) {
    for (MemoryLock.Hold hold : lock.holders()) {
      if (state.hasDelayLeft(hold)) {
        state.beginDelay(hold);
      } else {
        state.passOn(lock, hold.request.id(), null);
      }
    }
  }

  private static boolean isPast(MemoryState state, MemorySession session) {
    return isPast(
        state.rules.ageForSweep(session.renewed, state.now), KEPT.plus(state.lease(session.ttl)));
  }

  private static boolean isPast(MemoryState state, Stamp then, Duration time) {
    return isPast(state.rules.age(then, state.now), time);
  }

  private static boolean isPast(Optional<Duration> age, Duration time) {
    return age.isPresent() && age.get().compareTo(time) > 0;
  }

  /**
   * A time that another clock wrote, or this one ahead, is a day old one day after we first saw it.
   */
  private static void restampWhatCannotBeJudged(MemoryState state) {
    for (MemoryLock lock : state.locks.values()) {
      boolean isIdle = lock.isFree() || hasOnlyEnded(state, lock);
      if (isIdle && state.rules.age(lock.since, state.now).isEmpty()) {
        lock.since = state.rules.restampedIdle(lock.since, state.now);
      }
    }
    for (MemorySession session : state.sessions.values()) {
      if (state.rules.age(session.renewed, state.now).isEmpty()) {
        session.renewed = state.rules.restamped(session.renewed, state.now);
      }
    }
  }
}
