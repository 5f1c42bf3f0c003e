package io.holdfast.spi;

/** The condition on which a session is ended. */
public enum EndIf {
  /**
   * The session's owner closes it, or gives it up because it could not renew it: it is ended at
   * once. What it holds with a lock-delay by then was not given back, and keeps its delay.
   */
  CLOSED,
  /** Any client ends it: it is ended only if its time has passed, judged by the store. */
  LAPSED
}
