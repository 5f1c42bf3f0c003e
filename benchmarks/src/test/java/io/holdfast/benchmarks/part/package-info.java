@NullMarked
package io.holdfast.benchmarks.part;

import org.jspecify.annotations.NullMarked;
