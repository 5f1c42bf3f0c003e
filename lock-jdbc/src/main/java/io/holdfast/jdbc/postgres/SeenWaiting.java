package io.holdfast.jdbc.postgres;

import io.holdfast.LockName;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Locks for which this client has seen requests wait. It decides only which statement is tried
 * first: the short one, which fails where somebody waits, or the one that always does.
 */
final class SeenWaiting {

  private static final int NAMES_MAX = 1_000;

  private final Set<LockName> names = ConcurrentHashMap.newKeySet();

  boolean contains(LockName name) {
    return names.contains(name);
  }

  void add(LockName name) {
    if (names.size() >= NAMES_MAX) {
      names.clear();
    }
    names.add(name);
  }

  void remove(LockName name) {
    names.remove(name);
  }
}
