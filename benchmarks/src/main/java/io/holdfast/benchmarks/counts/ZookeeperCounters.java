package io.holdfast.benchmarks.counts;

import java.util.Map;
import java.util.function.Supplier;

/**
 * The counters of ZooKeeper's {@code mntr}. It counts reads and writes by the first node of their
 * paths, also those inside of a multi; times are in whole milliseconds, which says nothing.
 */
final class ZookeeperCounters implements ServerCounters {

  private static final String READS = "zk_cnt_holdfast_read_per_namespace";
  private static final String WRITES = "zk_cnt_holdfast_write_per_namespace";

  private final Supplier<Map<String, Long>> metrics;

  ZookeeperCounters(Supplier<Map<String, Long>> metrics) {
    this.metrics = metrics;
  }

  @Override
  public Reading read() {
    Map<String, Long> now = metrics.get();
    double reads = now.getOrDefault(READS, 0L);
    double writes = now.getOrDefault(WRITES, 0L);
    return new Reading(Map.of(Figure.COMMANDS, reads + writes), Map.of("writes in all", writes));
  }
}
