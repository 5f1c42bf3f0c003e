/**
 * What a lock costs: the question "do I hold it?", a grant without competition, and a hand-over.
 * Ratios are worth quoting, absolute times only together with the machine; {@code
 * docs/benchmarks.md} says how to run them.
 */
@NullMarked
package io.holdfast.benchmarks;

import org.jspecify.annotations.NullMarked;
