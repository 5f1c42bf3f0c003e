package io.holdfast.jdbc;

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

  /** Lets go of what is idle, and of what is lent when it is given back. */
  @Override
  void close();

  /** A connection that is lent, until it is given back or discarded. */
  interface Loan {

    Link link();

    /** Gives it back for the next call. */
    void giveBack();

    /** Gives back one that is of no use any more; there will be another in its place. */
    void discard();
  }
}
