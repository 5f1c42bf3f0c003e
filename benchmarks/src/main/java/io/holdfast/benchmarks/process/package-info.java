/**
 * Measurements that take several processes: hand-over from one JVM to another, take-over from one
 * that was killed, and the cost of starting a command. May depend on comparison, for its
 * arithmetic.
 */
@NullMarked
package io.holdfast.benchmarks.process;

import org.jspecify.annotations.NullMarked;
