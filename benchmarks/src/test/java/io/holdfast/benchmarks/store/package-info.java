@NullMarked
package io.holdfast.benchmarks.store;

import org.jspecify.annotations.NullMarked;
