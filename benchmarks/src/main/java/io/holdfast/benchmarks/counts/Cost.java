package io.holdfast.benchmarks.counts;

/**
 * What one operation costs a store.
 *
 * @param operation its name for people
 * @param state of the store meanwhile, for people
 * @param each what was counted for one of them
 */
public record Cost(String operation, String state, Reading each) {}
