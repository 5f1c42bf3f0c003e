package io.holdfast.benchmarks.counts;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;

/**
 * The figures of counters at one moment, or their differences between two.
 *
 * @param figures those that the store tells; a figure that is missing is not known
 * @param commands how often the store was asked for each command, by its own words
 */
public record Reading(Map<Figure, Double> figures, Map<String, Double> commands) {

  /** Copies the maps. */
  public Reading {
    figures = Map.copyOf(figures);
    commands = Map.copyOf(commands);
  }

  /** Returns what two sorts of counters show together. */
  Reading plus(Reading other) {
    return merged(other, Double::sum);
  }

  /** Returns what was added since an earlier reading of the same counters. */
  Reading since(Reading before) {
    return merged(before, (now, then) -> now - then);
  }

  private Reading merged(Reading other, DoubleBinaryOperator operator) {
    return new Reading(
        merged(figures, other.figures, operator), merged(commands, other.commands, operator));
  }

  private static <K> Map<K, Double> merged(
      Map<K, Double> ours, Map<K, Double> others, DoubleBinaryOperator operator) {
    Set<K> keys = new HashSet<>(ours.keySet());
    keys.addAll(others.keySet());
    Map<K, Double> merged = new HashMap<>();
    for (K key : keys) {
      merged.put(
          key, operator.applyAsDouble(ours.getOrDefault(key, 0.0), others.getOrDefault(key, 0.0)));
    }
    return merged;
  }

  /** Returns the same with another value of a figure. */
  Reading with(Figure figure, double value) {
    Map<Figure, Double> others = new HashMap<>(figures);
    others.put(figure, value);
    return new Reading(others, commands);
  }

  /** Returns this divided by a number of operations. */
  Reading each(int operations) {
    Map<Figure, Double> eachFigure = new EnumMap<>(Figure.class);
    figures.forEach((figure, value) -> eachFigure.put(figure, value / operations));
    Map<String, Double> eachCommand = new TreeMap<>();
    commands.forEach((command, value) -> eachCommand.put(command, value / operations));
    return new Reading(eachFigure, eachCommand);
  }

  /**
   * Returns the medians of readings, each for itself: what else happens now and then, such as a
   * heartbeat, is left out. A command whose median is zero is left out, too.
   */
  static Reading median(List<Reading> readings) {
    Map<Figure, Double> figures = new EnumMap<>(Figure.class);
    for (Figure figure : readings.get(0).figures().keySet()) {
      figures.put(figure, median(readings, each -> each.figures().getOrDefault(figure, 0.0)));
    }
    Map<String, Double> commands = new TreeMap<>();
    for (Reading reading : readings) {
      for (String command : reading.commands().keySet()) {
        double median = median(readings, each -> each.commands().getOrDefault(command, 0.0));
        if (median != 0) {
          commands.put(command, median);
        }
      }
    }
    return new Reading(figures, commands);
  }

  /** Of an even number the lower one of the two in the middle, which is one that was read. */
  private static double median(List<Reading> readings, ToDoubleFunction<Reading> value) {
    double[] sorted = readings.stream().mapToDouble(value).sorted().toArray();
    return sorted[(sorted.length - 1) / 2];
  }
}
