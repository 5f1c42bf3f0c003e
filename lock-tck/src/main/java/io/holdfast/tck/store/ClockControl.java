package io.holdfast.tck.store;

import java.time.Duration;

/**
 * Makes time pass, or go back, for the records of a store. If the clock of a store cannot be set,
 * the control moves every recorded time the other way: leases, guards and revocations cannot tell
 * the difference. Values that the store computes from its clock can, above all the numbers of
 * grants: rules about them ask for a {@link RealClockControl}.
 */
public interface ClockControl {

  /** Sets the store's clock forward, or back by a negative duration. */
  void stepClock(Duration by);
}
