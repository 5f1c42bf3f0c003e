package io.holdfast.tck.store;

import java.time.Duration;

/**
 * The store's clock can be set. A store that has no clock to set may move every time that is on
 * record, and the numbers of grants, the other way instead: that is the same.
 */
public interface ClockControl {

  /** Sets the store's clock forward, or back by a negative duration. */
  void stepClock(Duration by);
}
