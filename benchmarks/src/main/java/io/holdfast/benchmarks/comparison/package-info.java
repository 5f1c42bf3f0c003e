/**
 * Compares contenders on a machine that is not quiet: they take turns in small batches, so that
 * what disturbs one disturbs all. May depend on {@code contender} alone.
 */
@NullMarked
package io.holdfast.benchmarks.comparison;

import org.jspecify.annotations.NullMarked;
