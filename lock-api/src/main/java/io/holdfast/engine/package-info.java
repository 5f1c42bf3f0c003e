/**
 * The engine: the gate in front of each lock, wishes and their requests, sessions and their
 * heartbeats, waiting, ambiguity and release retry. Internal: nothing outside lock-api but the test
 * kit may use it.
 *
 * <p>A reader begins with {@code EngineLock} (one acquire, top to bottom), goes on with {@code
 * Gate}, {@code Wish} and {@code PendingRequest}, and then with {@code Session}. All state of a
 * client changes in turns ({@code engine.turn}), and reaches clocks, threads and the store through
 * one seam ({@code engine.seam}).
 */
@NullMarked
package io.holdfast.engine;

import org.jspecify.annotations.NullMarked;
