/**
 * Holds: the numbers that the store has granted to this client, and the grants that the client
 * makes of each, from thread to thread. A reader begins with {@code Hold} and {@code HeldGrant};
 * {@code Reuse} says when a number may go to a further thread.
 *
 * <p>May use {@code engine.session}, {@code engine.turn} and {@code engine.seam}. It knows the
 * gate, which lies in front of a hold, as {@code HoldGate} alone.
 */
@NullMarked
package io.holdfast.engine.hold;

import org.jspecify.annotations.NullMarked;
