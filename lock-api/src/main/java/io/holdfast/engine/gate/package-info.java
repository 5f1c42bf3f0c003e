/**
 * Gates: where the threads of a client line up for a lock, and what a gate asks of the store for
 * them. A reader begins with {@code Gate}, and goes on with {@code Wish} and {@code
 * PendingRequest}; what a request leads to is a hold.
 *
 * <p>May use {@code engine.hold}, {@code engine.session}, {@code engine.turn} and {@code
 * engine.seam}.
 */
@NullMarked
package io.holdfast.engine.gate;

import org.jspecify.annotations.NullMarked;
