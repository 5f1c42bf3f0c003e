package io.holdfast.tck.store;

import java.time.Duration;

/**
 * Time passes for what is on record, or is undone. A store that has no clock to set moves every
 * time on record the other way: leases, guards and revocations cannot tell the difference. What
 * comes of the clock itself can, the numbers of grants above all: rules about them ask for a {@link
 * RealClockControl}.
 */
public interface ClockControl {

  /** Sets the store's clock forward, or back by a negative duration. */
  void stepClock(Duration by);
}
