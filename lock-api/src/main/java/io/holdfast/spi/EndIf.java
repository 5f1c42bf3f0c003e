package io.holdfast.spi;

/** On what condition a session is ended. */
public enum EndIf {
  /** Its owner closes it: at once. */
  CLOSED,
  /** Anybody ends it: only if its time has passed, judged by the store. */
  LAPSED
}
