package io.holdfast.spi;

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

  /** Returns it as it is shown to people while it waits. */
  public Waiter asWaiter() {
    return new Waiter(request, mode, process, why);
  }

  /**
   * Returns it as it is shown to people while it holds.
   *
   * @param since when it became the head
   * @param revoked when it was revoked, if it was
   */
  public Holder asHolder(Instant since, Liveness liveness, Optional<Instant> revoked) {
    return new Holder(request, mode, process, why, payload, since, liveness, revoked);
  }
}
