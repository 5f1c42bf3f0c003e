/**
 * The engine: sessions and their heartbeats, the gate in front of each lock, waiting, ambiguity and
 * release retry. Internal: nothing outside lock-api but the test kit may use it.
 *
 * <p>It reaches the outside through one seam, {@link io.holdfast.engine.Seam}: nothing here reads a
 * clock, sleeps, blocks or starts a thread except through it. All state of a client is guarded by
 * one lock, held for moments and never across a call to the store or to a listener.
 */
@NullMarked
package io.holdfast.engine;

import org.jspecify.annotations.NullMarked;
