package io.holdfast.spi;

import io.holdfast.Liveness;
import io.holdfast.RequestId;

/**
 * A request that stands before others although its session is over or may be ended, or that was
 * revoked a whole TTL ago.
 *
 * @param head the head of the queue at that moment
 * @param request the request that stands in the way: the head itself, or one that waits
 * @param liveness why it does not count; never {@link Liveness#LIVE}
 */
public record Obstacle(Observed head, RequestId request, Liveness liveness) {

  /** Checks that there is a reason. */
  public Obstacle {
    if (liveness == Liveness.LIVE) {
      throw new IllegalArgumentException("A live request is no obstacle: " + request);
    }
  }

  /** Returns whether it is the head of the queue. */
  public boolean isHead() {
    return head.request().equals(request);
  }
}
