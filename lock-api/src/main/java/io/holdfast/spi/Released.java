package io.holdfast.spi;

/** What a release found. */
public enum Released {
  /** The request held the lock, and now nobody does. */
  FREED,
  /** The request held the lock, and now the next one does. */
  HANDED_ON,
  /** The request was waiting and has left the queue. */
  WAS_WAITING,
  /** The request was not there; nothing was changed. */
  NOTHING
}
