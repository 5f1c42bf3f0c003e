package io.holdfast;

/**
 * What the store knows of the life of the session behind a request, judged by its own clock. Where
 * several apply, {@link #ENDED} goes before {@link #REVOCATION_DUE}, and that before {@link
 * #LAPSED}.
 */
public enum Liveness {
  /** Nobody may touch the request. */
  LIVE,
  /**
   * The session's time seems to have passed, or cannot be judged before somebody has looked closer.
   * It is not over: a late renewal still saves it, until somebody ends it.
   */
  LAPSED,
  /** The session is over; the request counts for nothing. */
  ENDED,
  /** The session may live, but the request was revoked a whole TTL ago. */
  REVOCATION_DUE
}
