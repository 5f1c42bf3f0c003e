/**
 * Figures that no load can bend: what an operation asks of a store and of the network, and what a
 * lock that is held or waited for takes of the client's memory. Each store is started with the
 * settings that counting needs, which may slow it down. May depend on the adapters, on {@code
 * store} and on the servers of lock-testing.
 */
@NullMarked
package io.holdfast.benchmarks.counts;

import org.jspecify.annotations.NullMarked;
