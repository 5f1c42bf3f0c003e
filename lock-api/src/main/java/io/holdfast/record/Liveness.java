package io.holdfast.record;

/**
 * Whether the session behind a request lives, judged by the store's own clock. If several values
 * apply, {@link #ENDED} takes precedence over {@link #REVOCATION_DUE}, which takes precedence over
 * {@link #LAPSED}.
 */
public enum Liveness {
  /** The session lives, and no other client may touch the request. */
  LIVE,
  /**
   * No session lives behind the request, but it keeps the lock until its {@linkplain Holder#stay
   * stay} is over: it was given back early, or its session ended uncleanly and it had asked for a
   * lock-delay.
   */
  STAYING,
  /**
   * The session's time seems to have passed, or cannot be judged without another step. The session
   * is not over: a late renewal still saves it until a client ends it.
   */
  LAPSED,
  /** The session is over. The request has no effect any more. */
  ENDED,
  /** The session may still live, but the request was revoked at least one whole TTL ago. */
  REVOCATION_DUE;

  /** Returns whether no other client may remove the request at present. */
  public boolean counts() {
    return this == LIVE || this == STAYING;
  }
}
