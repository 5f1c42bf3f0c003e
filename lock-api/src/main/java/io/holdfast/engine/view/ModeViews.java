package io.holdfast.engine.view;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.view.LockView;
import io.holdfast.view.ReadWriteLockView;

/**
 * Both modes of one lock.
 *
 * @param readLock in shared mode
 * @param writeLock in exclusive mode
 * @param holds what the client's threads hold
 */
public record ModeViews(LockView readLock, LockView writeLock, ThreadHolds holds)
    implements ReadWriteLockView {

  @Override
  public String toString() {
    LockName name = writeLock.name();
    return "ReadWriteLockView of %s[Write locks = %s, Read locks = %s]"
        .formatted(name, holds.count(name, LockMode.EXCLUSIVE), holds.count(name, LockMode.SHARED));
  }
}
