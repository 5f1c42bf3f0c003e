package io.holdfast.jdbc;

import io.holdfast.spi.Deadline;

/** Ends calls at their deadline where drivers do not. */
@FunctionalInterface
interface Watch {

  /** For drivers that return by the deadline themselves. */
  Watch NONE = (deadline, end) -> () -> true;

  /** Runs what ends a call at its deadline, unless the call has returned. */
  Call begin(Deadline deadline, Runnable end);

  /** A call that is under way. */
  @FunctionalInterface
  interface Call {

    /** Tells that it has returned; false if it is being ended. */
    boolean returned();
  }
}
