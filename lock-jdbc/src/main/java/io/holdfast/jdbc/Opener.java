package io.holdfast.jdbc;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;

/** Opens connections to a database. */
@FunctionalInterface
interface Opener extends AutoCloseable {

  /**
   * Opens one.
   *
   * @throws BackendFailure if there is none by the deadline
   */
  Link open(Deadline deadline);

  /** Lets go of what is still being opened. */
  @Override
  default void close() {}
}
