@NullMarked
package io.holdfast.benchmarks.simulation;

import org.jspecify.annotations.NullMarked;
