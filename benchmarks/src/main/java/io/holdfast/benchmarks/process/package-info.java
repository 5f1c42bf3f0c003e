/**
 * What takes several processes to see: hand-over from one JVM to another, take-over from one that
 * was killed, and what it costs to start a command. May depend on comparison, for its arithmetic.
 */
@NullMarked
package io.holdfast.benchmarks.process;

import org.jspecify.annotations.NullMarked;
