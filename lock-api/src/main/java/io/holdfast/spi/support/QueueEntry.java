package io.holdfast.spi.support;

import io.holdfast.Holder;
import io.holdfast.Liveness;
import io.holdfast.LockMode;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.Waiter;
import java.time.Instant;
import java.util.Optional;

/**
 * A request in a lock's queue.
 *
 * @param request its id
 * @param mode the mode in which the lock is held or will be held
 * @param process the identity of the requesting process
 * @param why the reason, possibly empty
 * @param payload the bytes that are published while the lock is held
 */
public record QueueEntry(
    RequestId request, LockMode mode, ProcessIdentity process, String why, Payload payload) {

  /** Returns the form in which the request is shown while it waits. */
  public Waiter asWaiter() {
    return new Waiter(request, mode, process, why);
  }

  /**
   * Returns the form in which the request is shown while it holds the lock.
   *
   * @param since when it became the head
   * @param revoked when it was revoked; empty if it was not
   */
  public Holder asHolder(Instant since, Liveness liveness, Optional<Instant> revoked) {
    return new Holder(request, mode, process, why, payload, since, liveness, revoked);
  }
}
