package io.holdfast.engine.view;

import io.holdfast.LockMode;
import io.holdfast.engine.hold.HeldGrant;

/**
 * One thread's hold of one lock through views: one grant, and how often in each mode.
 *
 * @param grant in exclusive mode, or downgraded from it, or in shared mode
 * @param exclusive how many times in exclusive mode
 * @param shared how many times in shared mode
 */
record ThreadHold(HeldGrant grant, int exclusive, int shared) {

  static ThreadHold none(HeldGrant grant) {
    return new ThreadHold(grant, 0, 0);
  }

  int count(LockMode mode) {
    return mode == LockMode.EXCLUSIVE ? exclusive : shared;
  }

  ThreadHold once(LockMode mode) {
    return mode == LockMode.EXCLUSIVE
        ? new ThreadHold(grant, Math.incrementExact(exclusive), shared)
        : new ThreadHold(grant, exclusive, Math.incrementExact(shared));
  }

  ThreadHold onceLess(LockMode mode) {
    return mode == LockMode.EXCLUSIVE
        ? new ThreadHold(grant, exclusive - 1, shared)
        : new ThreadHold(grant, exclusive, shared - 1);
  }

  boolean isOver() {
    return exclusive == 0 && shared == 0;
  }

  /** Whether a lock in that mode is one more of what the thread has, and not an upgrade. */
  boolean covers(LockMode mode) {
    return mode == LockMode.SHARED || hasExclusively();
  }

  /** The application may have downgraded the grant, which it can reach. */
  private boolean hasExclusively() {
    return exclusive > 0 && grant.mode() == LockMode.EXCLUSIVE;
  }
}
