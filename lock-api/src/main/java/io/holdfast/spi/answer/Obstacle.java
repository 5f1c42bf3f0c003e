package io.holdfast.spi.answer;

import io.holdfast.record.Liveness;
import io.holdfast.record.RequestId;

/**
 * A request that is ahead of others although its session is over or may be ended, or although it
 * was revoked at least one whole TTL ago.
 *
 * @param head the holder that is in the way; if a waiting request is, any holder at that moment
 * @param request the request that is in the way: that holder itself, or a waiting request
 * @param liveness why the request does not count; never {@link Liveness#LIVE} or {@link
 *     Liveness#STAYING}
 */
public record Obstacle(Observed head, RequestId request, Liveness liveness) {

  /** Checks that the request does not count. */
  public Obstacle {
    if (liveness.counts()) {
      throw new IllegalArgumentException("A request that counts is no obstacle: " + request);
    }
  }

  /** Returns whether the request holds the lock. */
  public boolean isHead() {
    return head.request().equals(request);
  }
}
