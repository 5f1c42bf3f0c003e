@NullMarked
package io.holdfast.benchmarks.comparison;

import org.jspecify.annotations.NullMarked;
