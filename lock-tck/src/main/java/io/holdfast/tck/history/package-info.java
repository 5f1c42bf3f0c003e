/**
 * What clients of a store saw, written down while they saw it, and a checker that tells whether a
 * correct lock can have shown them that.
 *
 * <p>Every process writes {@link io.holdfast.tck.history.HistoryEvent events} to a file of its own
 * through a {@link io.holdfast.tck.history.HistoryWriter}; {@link io.holdfast.tck.history.History}
 * reads the files of one run together; {@link io.holdfast.tck.history.HistoryChecker} returns a
 * {@link io.holdfast.tck.history.Violation} for everything that must not happen, with the events
 * that show it.
 *
 * <p>All instants are {@link System#nanoTime()}. On Linux that is CLOCK_MONOTONIC, which is one
 * clock for all processes of a machine, so instants of different processes can be compared. A
 * history must therefore come from one machine. The checker only concludes what follows from the
 * instants around a call, never from where within it something happened.
 *
 * <p>Exclusive mode only: two shared grants may be believed at once, which is a violation here.
 */
@NullMarked
package io.holdfast.tck.history;

import org.jspecify.annotations.NullMarked;
