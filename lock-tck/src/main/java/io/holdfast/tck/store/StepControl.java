package io.holdfast.tck.store;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;

/** Stops a verb between two of its atomic steps. */
public interface StepControl {

  /**
   * Connects like {@link TckStore#connect}, with a hook that is called before every atomic step of
   * every verb: before each statement, each script, each request. That is on the calling thread, or
   * on one that the adapter makes the step on while the caller waits. An exception of the hook must
   * leave the verb without another step, as if the client had died there.
   */
  LockBackend connect(BackendOptions options, Runnable beforeStep);
}
