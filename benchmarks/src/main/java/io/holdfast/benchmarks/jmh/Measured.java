package io.holdfast.benchmarks.jmh;

import static java.util.Objects.requireNonNull;

import org.openjdk.jmh.results.RunResult;

/**
 * The figures of JMH about one benchmark.
 *
 * @param benchmark its class and method
 * @param threads how many threads ran it
 * @param score the time of an operation
 * @param error half the 99.9 % confidence interval of it; not a number if there is one iteration
 * @param unit of both
 * @param allocatedBytes those that an operation allocates
 * @param cpuNanos the cost to this JVM's threads together
 */
public record Measured(
    String benchmark,
    int threads,
    double score,
    double error,
    String unit,
    double allocatedBytes,
    double cpuNanos) {

  static Measured of(RunResult run) {
    String[] path = run.getParams().getBenchmark().split("\\.", -1);
    return new Measured(
        path[path.length - 2] + "." + path[path.length - 1],
        run.getParams().getThreads(),
        run.getPrimaryResult().getScore(),
        run.getPrimaryResult().getScoreError(),
        run.getPrimaryResult().getScoreUnit(),
        secondary(run, "gc.alloc.rate.norm"),
        secondary(run, CpuProfiler.NAME));
  }

  /** Some versions of JMH put a mark before the name of what a profiler tells. */
  private static double secondary(RunResult run, String name) {
    return run.getSecondaryResults().keySet().stream()
        .filter(key -> key.endsWith(name))
        .mapToDouble(key -> requireNonNull(run.getSecondaryResults().get(key)).getScore())
        .findFirst()
        .orElse(Double.NaN);
  }
}
