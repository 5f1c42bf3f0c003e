package io.holdfast.benchmarks.simulation;

import java.time.Duration;

/**
 * The work of an application with its locks.
 *
 * @param processes that hold a lock or wait for one; another has no session
 * @param ttl of their sessions
 * @param locksPerProcess how many locks a process has used within the last twelve heartbeats
 * @param pairsPerSecond acquires of a free lock, with their releases, of all processes
 * @param handOversPerSecond grants that were waited for, of all processes
 * @param contendedLocks for how many locks requests wait at one moment
 * @param waitersPerLock how many wait for each of these
 * @param keepers sessions without a request that waits, which keep a cached lock or share one: each
 *     heartbeat asks whether others wait for it
 * @param listeners processes that have waited, kept a cached lock or shared one since their session
 *     began: they listen until it ends
 * @param partitions over how many stores, or partitions of one, the locks are spread by their names
 */
public record Workload(
    long processes,
    Duration ttl,
    int locksPerProcess,
    double pairsPerSecond,
    double handOversPerSecond,
    long contendedLocks,
    int waitersPerLock,
    long keepers,
    long listeners,
    int partitions) {

  /** Returns the same with another TTL. */
  public Workload ttl(Duration other) {
    return new Workload(
        processes,
        other,
        locksPerProcess,
        pairsPerSecond,
        handOversPerSecond,
        contendedLocks,
        waitersPerLock,
        keepers,
        listeners,
        partitions);
  }

  /** Returns the same over another number of partitions. */
  public Workload partitions(int other) {
    return new Workload(
        processes,
        ttl,
        locksPerProcess,
        pairsPerSecond,
        handOversPerSecond,
        contendedLocks,
        waitersPerLock,
        keepers,
        listeners,
        other);
  }

  /**
   * Returns how many sessions live: a process has one in each partition in which one of its locks
   * lies. Of m locks, spread evenly over k partitions, k × (1 - (1 - 1/k)^m) are met.
   */
  double sessions() {
    return processes * partitions * (1 - Math.pow(1 - 1.0 / partitions, locksPerProcess));
  }

  long waiters() {
    return contendedLocks * waitersPerLock;
  }
}
