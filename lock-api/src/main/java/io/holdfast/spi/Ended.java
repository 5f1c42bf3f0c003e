package io.holdfast.spi;

/** What an attempt to end a session found. */
public enum Ended {
  /** The session is over, by this call or an earlier one, or was never there. Final. */
  OVER,
  /** The session lives: its time has not passed, or was just given anew. */
  ALIVE
}
