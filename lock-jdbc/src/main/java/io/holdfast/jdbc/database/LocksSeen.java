package io.holdfast.jdbc.database;

import io.holdfast.LockName;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Locks of which a client has seen something that is likely to hold still. It decides only which
 * statement is tried first: a short one, which changes nothing where it does not hold, or the one
 * that always answers. When there are too many, all are forgotten. Thread-safe.
 */
public final class LocksSeen {

  private static final int NAMES_MAX = 10_000;

  private final Set<LockName> names = ConcurrentHashMap.newKeySet();

  public boolean contains(LockName name) {
    return names.contains(name);
  }

  public void add(LockName name) {
    if (names.size() >= NAMES_MAX) {
      names.clear();
    }
    names.add(name);
  }

  public void remove(LockName name) {
    names.remove(name);
  }
}
