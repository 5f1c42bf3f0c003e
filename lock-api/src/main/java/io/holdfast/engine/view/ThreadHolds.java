package io.holdfast.engine.view;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The holds of the threads of one client through views. A thread's holds are changed by that thread
 * alone, so two views of one lock never disagree. A thread that holds nothing of a lock leaves
 * nothing here. Thread-safe.
 */
public final class ThreadHolds {

  /** So many may be here before those are looked for that ended without unlocking. */
  private static final int SWEEP_MIN = 64;

  private record Key(LockName name, Thread thread) {}

  private final Map<Key, ThreadHold> holds = new ConcurrentHashMap<>();
  private volatile int sweepAbove = SWEEP_MIN;

  /** Returns what the current thread holds. */
  Optional<ThreadHold> current(LockName name) {
    return Optional.ofNullable(holds.get(key(name)));
  }

  /** From now on the current thread holds that. */
  void currentIs(LockName name, ThreadHold now) {
    if (now.isOver()) {
      holds.remove(key(name));
      return;
    }
    holds.put(key(name), now);
    if (holds.size() > sweepAbove) {
      holds.entrySet().removeIf(entry -> isLeftBehind(entry.getKey().thread(), entry.getValue()));
      sweepAbove = Math.max(SWEEP_MIN, 2 * holds.size());
    }
  }

  private static Key key(LockName name) {
    return new Key(name, Thread.currentThread());
  }

  /** A thread that has ended unlocks nothing, and what it had is lost. */
  private static boolean isLeftBehind(Thread thread, ThreadHold hold) {
    return !thread.isAlive() && hold.grant().gone().isPresent();
  }

  /** Returns how many times threads of this client hold the lock in that mode. */
  int count(LockName name, LockMode mode) {
    return inForce(name).mapToInt(entry -> entry.getValue().count(mode)).sum();
  }

  /** Returns the name of a thread of this client that holds the lock alone. */
  Optional<String> owner(LockName name) {
    return inForce(name)
        .filter(entry -> entry.getValue().exclusive() > 0)
        .map(entry -> entry.getKey().thread().getName())
        .findAny();
  }

  private Stream<Map.Entry<Key, ThreadHold>> inForce(LockName name) {
    return holds.entrySet().stream()
        .filter(entry -> entry.getKey().name().equals(name))
        .filter(entry -> entry.getValue().grant().inForce());
  }
}
