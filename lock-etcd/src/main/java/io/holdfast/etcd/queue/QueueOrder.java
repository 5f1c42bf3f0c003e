package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.holdfast.LockMode;
import io.holdfast.etcd.format.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The modes of the requests of a queue, in order, and what follows from them. Only the first may
 * share a lock that it has asked to have alone: a downgrade is for holders, and an exclusive holder
 * is the first.
 */
record QueueOrder(List<LockMode> modes) {

  /**
   * Reads the modes from keys.
   *
   * @param firstShares whether the first shares the lock, in either mode that it has asked for
   */
  static QueueOrder of(List<KeyValue> queue, boolean firstShares) {
    List<LockMode> modes =
        new ArrayList<>(queue.stream().map(entry -> Keys.askedAt(entry.getKey())).toList());
    if (firstShares) {
      modes.set(0, LockMode.SHARED);
    }
    return new QueueOrder(modes);
  }

  /** Returns how many hold the lock: the longest run of shared ones at the head, or the one. */
  int holders() {
    if (modes.isEmpty() || !isShared(0)) {
      return modes.size() > 0 ? 1 : 0;
    }
    int run = 0;
    while (run < modes.size() && isShared(run)) {
      run++;
    }
    return run;
  }

  /** Returns which request keeps another one out; empty if that one holds the lock. */
  OptionalInt predecessor(int index) {
    int before = index - 1;
    while (before >= 0 && isShared(index) && isShared(before)) {
      before--;
    }
    return before < 0 ? OptionalInt.empty() : OptionalInt.of(before);
  }

  /** Returns whether a request that waits holds the lock when its predecessor has left. */
  boolean isNext(int index) {
    OptionalInt before = predecessor(index);
    if (before.isEmpty() || !isShared(index)) {
      return before.isPresent() && before.getAsInt() == 0;
    }
    return modes.subList(0, before.getAsInt()).stream().allMatch(LockMode.SHARED::equals);
  }

  private boolean isShared(int index) {
    return modes.get(index) == LockMode.SHARED;
  }
}
