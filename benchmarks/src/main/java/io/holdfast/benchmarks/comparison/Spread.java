package io.holdfast.benchmarks.comparison;

import java.util.Arrays;
import java.util.Collection;

/**
 * A figure that was measured once a round.
 *
 * @param median its median over the rounds
 * @param spread the range of the middle half of the rounds, divided by the median
 */
public record Spread(double median, double spread) {

  /** A figure that spreads more than this says little. */
  private static final double USABLE = 0.2;

  /** Returns what the middle of the rounds says; there is at least one. */
  public static Spread of(Collection<Double> rounds) {
    double[] sorted = rounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double median = at(sorted, 0.5);
    return new Spread(median, median == 0 ? 0 : (at(sorted, 0.75) - at(sorted, 0.25)) / median);
  }

  /** Returns the quantile of values that are sorted, between two of them where it falls there. */
  static double at(double[] sorted, double quantile) {
    double place = quantile * (sorted.length - 1);
    int below = (int) Math.floor(place);
    int above = (int) Math.ceil(place);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** Returns whether the middle half of the rounds agrees within a fifth. */
  public boolean usable() {
    return spread <= USABLE;
  }

  @Override
  public String toString() {
    return Arrays.toString(new double[] {median, spread});
  }
}
