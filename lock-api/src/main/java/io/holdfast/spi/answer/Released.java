package io.holdfast.spi.answer;

/** The outcome of a release in the store. */
public enum Released {
  /** The request held the lock, which is free now. */
  FREED,
  /** The request held the lock, and the next request holds it now. */
  HANDED_ON,
  /** The request held the lock in shared mode, and others that shared it hold it still. */
  SHARED,
  /** The request keeps the lock until its stay is over; no session belongs to it any more. */
  STAYS,
  /** The request was waiting and has left the queue. */
  WAS_WAITING,
  /** The request was not in the queue. Nothing was changed. */
  NOTHING
}
