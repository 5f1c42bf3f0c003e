package io.holdfast.spi;

import io.holdfast.LockName;
import io.holdfast.RequestId;

/** Something that the answer to a renewal tells the session, reliably. */
public sealed interface Notice {

  /**
   * A request was revoked: whoever holds by it must give up. It is told again with every renewal
   * until {@link LockBackend#acknowledge acknowledged} or the session is over.
   */
  record Revoked(RequestId request) implements Notice {}

  /** Somebody waits for a lock that the session holds. */
  record Contended(LockName name) implements Notice {}
}
