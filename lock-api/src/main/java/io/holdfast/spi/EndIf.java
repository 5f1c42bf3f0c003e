package io.holdfast.spi;

/** The condition on which a session is ended. */
public enum EndIf {
  /**
   * The session's client closes it, or gives it up because it could not renew it: it is ended at
   * once. A lock that it holds with a lock-delay by then was not given back, and keeps its delay.
   */
  CLOSED,
  /** Any client ends it: it is ended only if its time has passed, judged by the store. */
  LAPSED
}
