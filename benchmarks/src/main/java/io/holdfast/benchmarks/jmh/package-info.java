/**
 * Measurements inside one JVM, by JMH. The store is one that the run has started, and a benchmark
 * is told its URI. Depends on lock-api and lock-memory alone.
 */
@NullMarked
package io.holdfast.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
