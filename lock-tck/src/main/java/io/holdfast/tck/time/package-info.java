/**
 * Virtual time: the engine's seam on a clock that a test advances, so that minutes of waiting take
 * microseconds and every run is the same. Depends on the engine's seam, as nothing outside this kit
 * may.
 */
@NullMarked
package io.holdfast.tck.time;

import org.jspecify.annotations.NullMarked;
