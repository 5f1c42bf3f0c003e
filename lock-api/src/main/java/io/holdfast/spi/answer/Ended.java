package io.holdfast.spi.answer;

/** The outcome of an attempt to end a session. */
public enum Ended {
  /** The session is over, by this call or an earlier one, or never existed. Final. */
  OVER,
  /** The session lives: its time has not passed, or it was just given a whole TTL again. */
  ALIVE
}
