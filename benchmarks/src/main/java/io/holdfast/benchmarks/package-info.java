/** The command that runs the benchmarks; its parts are in {@code part}. */
@NullMarked
package io.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
