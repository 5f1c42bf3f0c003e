@NullMarked
package io.holdfast.benchmarks.rungs;

import org.jspecify.annotations.NullMarked;
