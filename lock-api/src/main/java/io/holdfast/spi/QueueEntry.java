package io.holdfast.spi;

import io.holdfast.LockMode;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.Waiter;

/**
 * One request as it stands in a queue.
 *
 * @param request its id
 * @param mode how the lock is held, or will be
 * @param process who asks
 * @param why what for
 * @param payload what is published while holding
 */
public record QueueEntry(
    RequestId request, LockMode mode, ProcessIdentity process, String why, Payload payload) {

  /** Returns it as it is shown to people. */
  public Waiter asWaiter() {
    return new Waiter(request, mode, process, why);
  }
}
