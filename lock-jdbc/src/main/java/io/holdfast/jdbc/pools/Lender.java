package io.holdfast.jdbc.pools;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;

/** Lends connections to one database, each to one call at a time. */
interface Lender extends AutoCloseable {

  /**
   * Lends a connection.
   *
   * @throws BackendFailure without effect, if there is none by the deadline
   */
  Loan lend(Deadline deadline);

  /** Returns whether a connection is open and idle. */
  boolean isReady();

  /** Returns whether all connections that there may be are lent. */
  boolean isBusy();

  /** Closes idle connections at once, and lent ones when they are given back. */
  @Override
  void close();
}
