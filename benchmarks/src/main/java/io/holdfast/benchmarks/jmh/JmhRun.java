package io.holdfast.benchmarks.jmh;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * How thoroughly benchmarks run.
 *
 * @param forks in how many JVMs, one after the other
 * @param warmups how many iterations do not count
 * @param iterations how many do
 * @param millis how long each is
 */
public record JmhRun(int forks, int warmups, int iterations, long millis) {

  private static final String TMPDIR = System.getProperty("java.io.tmpdir");

  /** Where SQLite's driver unpacks its library, which a JVM that is killed leaves behind. */
  private static final String LIBRARIES = "org.sqlite.tmpdir";

  /** Runs what can be said about a store. */
  public List<Measured> on(String uri) throws RunnerException {
    return measured(options(PairBenchmark.class, HeldBenchmark.class).param("uri", uri));
  }

  /** Runs what the engine's threads need to pass a lock on, in memory. */
  public List<Measured> handOver() throws RunnerException {
    return measured(options(HandOverBenchmark.class));
  }

  private ChainedOptionsBuilder options(Class<?>... benchmarks) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .forks(forks)
            .warmupIterations(warmups)
            .warmupTime(TimeValue.milliseconds(millis))
            .measurementIterations(iterations)
            .measurementTime(TimeValue.milliseconds(millis))
            .addProfiler(GCProfiler.class)
            .addProfiler(CpuProfiler.class)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            // Of those that were set when this JVM started it knows by itself.
            .jvmArgsAppend("-D%s=%s".formatted(LIBRARIES, System.getProperty(LIBRARIES, TMPDIR)));
    for (Class<?> benchmark : benchmarks) {
      options.include(Pattern.quote(benchmark.getName()) + "\\.");
    }
    return options;
  }

  private static List<Measured> measured(ChainedOptionsBuilder options) throws RunnerException {
    return new Runner(options.build())
        .run().stream()
            .map(Measured::of)
            .sorted(Comparator.comparing(Measured::benchmark))
            .toList();
  }
}
