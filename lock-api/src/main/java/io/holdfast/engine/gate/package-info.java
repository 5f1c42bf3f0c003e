/**
 * Gates: where the threads of a client line up for a lock, what a gate asks of the store for them,
 * and what they hold. A reader begins with {@code Gate}, and goes on with {@code Wish}, {@code
 * PendingRequest}, {@code Hold} and {@code HeldGrant}.
 *
 * <p>May use {@code engine.session}, {@code engine.turn} and {@code engine.seam}.
 */
@NullMarked
package io.holdfast.engine.gate;

import org.jspecify.annotations.NullMarked;
