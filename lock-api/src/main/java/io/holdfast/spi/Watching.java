package io.holdfast.spi;

import io.holdfast.record.LockRecord;
import io.holdfast.spi.answer.Edition;
import io.holdfast.spi.answer.Sighting;

/**
 * A lock that a client watches, see {@link LockBackend#watch}. The engine makes one call at a time.
 */
public interface Watching extends AutoCloseable {

  /**
   * Reads the state, from where it is decided: a state that was there before an earlier read is not
   * seen by a later one, unless its {@link Edition} says so. If the store pushes, hints are asked
   * for before the read, so that no change after it is missed.
   *
   * @param waiters how many of those who wait at most
   * @return the state; that of a free lock, {@link LockRecord#unknown}, if there is no record
   */
  Sighting read(int waiters, Deadline deadline);

  /** Stops the hints. Never throws; does not wait for the store. */
  @Override
  void close();
}
