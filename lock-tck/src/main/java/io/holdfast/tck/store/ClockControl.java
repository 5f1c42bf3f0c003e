package io.holdfast.tck.store;

import java.time.Duration;

/**
 * The store's clock can be set. A store that has no clock to set may move every time that is on
 * record the other way instead, but no number of a grant: what the rules show is the same, except
 * that a clock set back lowers no number there anyway.
 */
public interface ClockControl {

  /** Sets the store's clock forward, or back by a negative duration. */
  void stepClock(Duration by);
}
