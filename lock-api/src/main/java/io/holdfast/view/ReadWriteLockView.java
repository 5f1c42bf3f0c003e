package io.holdfast.view;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A distributed lock as a {@link ReadWriteLock} of the JDK: any number of threads, of any client,
 * hold the read lock together, and one thread of one client holds the write lock alone. Both are
 * views of one lock in the store, so {@link LockView} says what holds for them. Thread-safe.
 *
 * <p>Readers and writers are served in the order in which they asked: a reader that comes while a
 * writer waits queues behind it, unless its thread holds the lock already. The token of a writer is
 * greater than those of all readers before it and smaller than those of all readers after it.
 */
public interface ReadWriteLockView extends ReadWriteLock {

  /** Returns the view in shared mode. */
  @Override
  LockView readLock();

  /** Returns the view in exclusive mode. */
  @Override
  LockView writeLock();

  /**
   * Returns the lock and its state in this client, like the locks of the JDK do: {@code [Write
   * locks = 0, Read locks = 2]}. Other clients' holds do not show.
   */
  @Override
  String toString();
}
