package io.holdfast.spi;

/** The condition on which a session is ended. */
public enum EndIf {
  /** The session's owner closes it: it is ended at once. */
  CLOSED,
  /** Any client ends it: it is ended only if its time has passed, judged by the store. */
  LAPSED
}
