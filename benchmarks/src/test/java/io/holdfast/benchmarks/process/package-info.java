@NullMarked
package io.holdfast.benchmarks.process;

import org.jspecify.annotations.NullMarked;
