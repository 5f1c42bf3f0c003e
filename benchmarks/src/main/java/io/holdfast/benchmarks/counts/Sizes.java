package io.holdfast.benchmarks.counts;

import java.time.Duration;
import java.util.List;

/**
 * The sizes at which operations are counted.
 *
 * @param held with how many locks held, ascending
 * @param waiting with how many sessions waiting for one lock, ascending
 * @param waits how long waiting is watched; not at all if zero
 * @param heldInHeap with how many locks held the heap is measured
 * @param waitingInHeap with how many locks waited for, each by a thread of its own
 */
public record Sizes(
    List<Integer> held, List<Integer> waiting, Duration waits, int heldInHeap, int waitingInHeap) {}
