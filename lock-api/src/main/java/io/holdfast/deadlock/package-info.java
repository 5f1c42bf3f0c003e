/**
 * Deadlocks: sessions that wait for each other in a circle, as the records of locks tell.
 *
 * <p>Stands on the values of {@code io.holdfast} alone. May use neither the engine nor the
 * interface for adapters.
 */
@NullMarked
package io.holdfast.deadlock;

import org.jspecify.annotations.NullMarked;
