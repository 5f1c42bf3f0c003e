/**
 * The engine's way to the outside: clocks, timers, threads, and on them calls to the store. Time as
 * this process can tell it, and how long a lease counts by it. Internal. Depends on {@code
 * io.holdfast.spi} alone; nothing in the engine but {@link io.holdfast.engine.seam.ThreadedSeam}
 * reads a clock or starts a thread.
 */
@NullMarked
package io.holdfast.engine.seam;

import org.jspecify.annotations.NullMarked;
