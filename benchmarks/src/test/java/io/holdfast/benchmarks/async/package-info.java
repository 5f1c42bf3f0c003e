@NullMarked
package io.holdfast.benchmarks.async;

import org.jspecify.annotations.NullMarked;
