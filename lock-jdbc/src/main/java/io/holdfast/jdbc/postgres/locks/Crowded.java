package io.holdfast.jdbc.postgres.locks;

import io.holdfast.LockName;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Locks for which this client has seen requests wait, or which it has seen held by several. It
 * decides only which statement is tried first: the short one, which fails there, or the one that
 * always does.
 */
final class Crowded {

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
