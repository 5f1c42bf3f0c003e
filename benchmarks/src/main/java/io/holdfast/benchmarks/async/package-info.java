/**
 * The cost of asynchronous acquires that wait, each for a lock of its own. Reads nothing but public
 * interfaces.
 */
@NullMarked
package io.holdfast.benchmarks.async;

import org.jspecify.annotations.NullMarked;
