/**
 * The events that clients of a store saw, written down while they saw them.
 *
 * <p>Every process writes {@link io.holdfast.tck.history.HistoryEvent events} to a file of its own
 * through a {@link io.holdfast.tck.history.HistoryWriter}; {@link io.holdfast.tck.history.History}
 * reads the files of one run together; {@code history.check} tells whether a correct lock can have
 * shown the clients that.
 *
 * <p>All instants are {@link System#nanoTime()}. On Linux that is CLOCK_MONOTONIC, which is one
 * clock for all processes of a machine, so instants of different processes can be compared. A
 * history must therefore come from one machine.
 *
 * <p>Exclusive mode only: two shared grants may be believed at once, which is a violation here.
 * Depends on no other package of the kit.
 */
@NullMarked
package io.holdfast.tck.history;

import org.jspecify.annotations.NullMarked;
