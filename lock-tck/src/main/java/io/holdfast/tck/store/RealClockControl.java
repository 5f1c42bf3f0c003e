package io.holdfast.tck.store;

/**
 * Sets the clock that the store uses, and with it everything that the store computes from the
 * clock: the numbers of grants, and the time in answers to renewals. Existing records stay as they
 * are.
 *
 * <p>Most servers can be started with a {@link io.holdfast.tck.server.ShiftedClock}. A store that
 * runs in the processes of its clients uses their clock: see {@link
 * io.holdfast.tck.EmbeddedClockTck}.
 */
public interface RealClockControl extends ClockControl {}
