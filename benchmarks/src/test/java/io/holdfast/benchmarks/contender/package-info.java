@NullMarked
package io.holdfast.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
