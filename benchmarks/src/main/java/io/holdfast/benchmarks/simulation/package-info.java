/**
 * Many processes on one store: a model of what they ask of it, and a simulation that counts it. May
 * depend on comparison, for what servers use of the CPUs.
 */
@NullMarked
package io.holdfast.benchmarks.simulation;

import org.jspecify.annotations.NullMarked;
