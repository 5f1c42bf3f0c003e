package io.holdfast.spi.answer;

import io.holdfast.record.RequestId;
import io.holdfast.spi.LockBackend;
import java.time.Duration;

/** A notice that the answers to a session's renewals carry reliably. */
public sealed interface Notice {

  /**
   * A request was revoked, so the session must give up its grant. The answer to every renewal
   * repeats the notice until it is {@link LockBackend#acknowledge acknowledged} or the session is
   * over.
   *
   * @param request the request
   * @param left how long the session may keep the grant, by the store's clock when it answered;
   *     zero if it must give it up at once
   */
  record Revoked(RequestId request, Duration left) implements Notice {

    /** The notice of a grant that must be given up at once. */
    public Revoked(RequestId request) {
      this(request, Duration.ZERO);
    }
  }
}
