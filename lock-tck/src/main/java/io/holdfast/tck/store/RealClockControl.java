package io.holdfast.tck.store;

/**
 * The clock by which the store goes is set, and everything that comes of it follows: the numbers of
 * grants, and the time that renewals tell. What is on record stays as it is.
 *
 * <p>With {@link io.holdfast.tck.server.ShiftedClock} most servers can be started so. A store that
 * lives in its clients' processes has their clock: {@link io.holdfast.tck.EmbeddedClockTck}.
 */
public interface RealClockControl extends ClockControl {}
