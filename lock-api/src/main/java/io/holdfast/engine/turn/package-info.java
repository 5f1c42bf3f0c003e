/**
 * How a client's state changes: one lock, turns that hold it, the effects that a turn notes and
 * carries out after it, and calls to the store with what their answers mean. Internal. Depends on
 * {@code io.holdfast.engine.seam} and {@code io.holdfast.spi}.
 */
@NullMarked
package io.holdfast.engine.turn;

import org.jspecify.annotations.NullMarked;
