/**
 * Views: locks of this client as locks of the JDK. A grant belongs to the thread that uses it; a
 * view binds it to a thread, and counts. A reader begins with {@code ModeView}; {@code ThreadHolds}
 * is what all views of a client share. {@code HeldTogether} is several grants as one.
 *
 * <p>May use {@code engine.hold}, {@code engine.turn} and {@code engine.seam}. The lock itself it
 * knows as {@code DistributedLock} alone.
 */
@NullMarked
package io.holdfast.engine.view;

import org.jspecify.annotations.NullMarked;
