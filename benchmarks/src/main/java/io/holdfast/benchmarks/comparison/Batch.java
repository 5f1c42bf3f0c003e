package io.holdfast.benchmarks.comparison;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The figures of one contender in one batch.
 *
 * @param times the nanoseconds of each pair
 * @param nanos how long the batch took
 * @param clientCpuNanos the CPU time of this process meanwhile
 * @param serverCpuNanos that of the processes that it started
 * @param allocatedBytes those that the threads of this process allocated
 */
record Batch(
    Histogram times, long nanos, long clientCpuNanos, long serverCpuNanos, long allocatedBytes) {

  /** Returns what the contender did in all of them; there is at least one. */
  static Batch sum(List<Batch> batches) {
    Histogram times = new Histogram(batches.get(0).times().getNumberOfSignificantValueDigits());
    long nanos = 0;
    long clientCpuNanos = 0;
    long serverCpuNanos = 0;
    long allocatedBytes = 0;
    for (Batch batch : batches) {
      times.add(batch.times);
      nanos += batch.nanos;
      clientCpuNanos += batch.clientCpuNanos;
      serverCpuNanos += batch.serverCpuNanos;
      allocatedBytes += batch.allocatedBytes;
    }
    return new Batch(times, nanos, clientCpuNanos, serverCpuNanos, allocatedBytes);
  }

  long pairs() {
    return times.getTotalCount();
  }

  long cpuNanos() {
    return clientCpuNanos + serverCpuNanos;
  }

  double medianNanos() {
    return times.getValueAtPercentile(50);
  }

  double pairsPerSecond() {
    return pairs() * 1e9 / nanos;
  }
}
