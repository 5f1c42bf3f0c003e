package io.holdfast.spi;

import io.holdfast.LockName;
import io.holdfast.RequestId;

/** A notice that the answers to a session's renewals carry reliably. */
public sealed interface Notice {

  /**
   * A request was revoked, so the session must give up its grant. The answer to every renewal
   * repeats the notice until it is {@link LockBackend#acknowledge acknowledged} or the session is
   * over.
   */
  record Revoked(RequestId request) implements Notice {}

  /** Another request waits for a lock that the session holds. */
  record Contended(LockName name) implements Notice {}
}
