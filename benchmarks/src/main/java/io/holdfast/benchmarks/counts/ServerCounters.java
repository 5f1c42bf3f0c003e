package io.holdfast.benchmarks.counts;

/** Counters that only ever grow. */
@FunctionalInterface
public interface ServerCounters {

  /** Returns what they show now; what the reading itself costs the store is left out. */
  Reading read();
}
