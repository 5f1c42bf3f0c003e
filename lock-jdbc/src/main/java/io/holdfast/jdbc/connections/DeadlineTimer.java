package io.holdfast.jdbc.connections;

import io.holdfast.spi.Deadline;

/** Aborts calls at their deadline, for drivers that do not do so. */
@FunctionalInterface
public interface DeadlineTimer {

  /** For drivers that return by the deadline themselves. */
  DeadlineTimer NONE = (deadline, end) -> () -> true;

  /** Runs an action at the deadline of a call, unless the call has returned before. */
  Call start(Deadline deadline, Runnable end);

  /** A call that is under way. */
  @FunctionalInterface
  interface Call {

    /** Records that it has returned; false if it is already being aborted. */
    boolean returned();
  }
}
