package io.holdfast.benchmarks.counts;

/**
 * The cost of one operation to a store.
 *
 * @param operation its name for people
 * @param state of the store meanwhile, for people
 * @param each the counts for one of them
 */
public record Cost(String operation, String state, Reading each) {}
