@NullMarked
package io.holdfast.benchmarks.counts;

import org.jspecify.annotations.NullMarked;
