package io.holdfast.benchmarks.rungs;

import io.holdfast.benchmarks.contender.Contender;

/**
 * A rung of a store's ladder.
 *
 * @param adds what it does more than the rung below
 * @param clause the promise that demands it, empty for the lowest
 * @param contender what is measured
 */
public record Rung(String adds, String clause, Contender contender) {}
