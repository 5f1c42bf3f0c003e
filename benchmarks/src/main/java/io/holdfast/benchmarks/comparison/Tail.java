package io.holdfast.benchmarks.comparison;

import java.util.List;
import java.util.Random;
import org.HdrHistogram.Histogram;

/**
 * The 99th percentile of all pairs, in microseconds. Its 95 % confidence interval is a bootstrap
 * over the rounds (B. Efron, Bootstrap Methods: Another Look at the Jackknife, 1979): pairs of one
 * round depend on each other, rounds hardly do.
 *
 * @param micros the percentile of all rounds
 * @param from the lower end of the interval
 * @param to its upper end
 */
public record Tail(double micros, double from, double to) {

  private static final int SAMPLES = 200;
  private static final double PERCENTILE = 99;

  static Tail of(List<Histogram> rounds) {
    Random random = new Random(1);
    double[] samples =
        random
            .ints(SAMPLES)
            .mapToDouble(seed -> percentile(resampled(rounds, new Random(seed))))
            .sorted()
            .toArray();
    return new Tail(percentile(rounds), Spread.at(samples, 0.025), Spread.at(samples, 0.975));
  }

  private static List<Histogram> resampled(List<Histogram> rounds, Random random) {
    return random.ints(rounds.size(), 0, rounds.size()).mapToObj(rounds::get).toList();
  }

  private static double percentile(List<Histogram> rounds) {
    Histogram all = new Histogram(3);
    rounds.forEach(all::add);
    return all.getValueAtPercentile(PERCENTILE) / 1e3;
  }
}
