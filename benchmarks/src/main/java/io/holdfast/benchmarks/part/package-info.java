/**
 * The parts of a run: each measures something on the stores that were asked for and says what it
 * found. May depend on everything else.
 */
@NullMarked
package io.holdfast.benchmarks.part;

import org.jspecify.annotations.NullMarked;
