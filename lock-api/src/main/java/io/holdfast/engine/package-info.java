/**
 * The engine: ambiguity, waiting and release retry, for all stores alike. Internal: nothing outside
 * lock-api but the test kit may use it.
 *
 * <p>A reader begins with {@code EngineLock} (one acquire, top to bottom), goes on with the gate in
 * front of each lock ({@code engine.gate}), with what a grant is ({@code engine.hold}), and then
 * with the sessions ({@code engine.session}). All state of a client changes in turns ({@code
 * engine.turn}), and reaches clocks, threads and the store through one seam ({@code engine.seam}).
 */
@NullMarked
package io.holdfast.engine;

import org.jspecify.annotations.NullMarked;
