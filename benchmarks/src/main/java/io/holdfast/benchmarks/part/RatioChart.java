package io.holdfast.benchmarks.part;

import static io.holdfast.benchmarks.part.ComparisonPart.MANY;

import io.holdfast.benchmarks.comparison.Spread;
import io.holdfast.benchmarks.report.BarChart;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A chart of ratios, with one thread and with many; its whiskers are the middle half of rounds. */
final class RatioChart {

  private RatioChart() {}

  /** Returns the chart of two ratios for each label. */
  static BarChart of(
      String file, String title, List<String> labels, List<Spread> one, List<Spread> many) {
    return new BarChart(
        file,
        title,
        "ratio of p50",
        labels,
        series(one, many, Spread::median),
        series(one, many, ratio -> ratio.median() * ratio.spread() / 2));
  }

  private static Map<String, List<Double>> series(
      List<Spread> one, List<Spread> many, ToDoubleFunction<Spread> value) {
    Map<String, List<Double>> series = new LinkedHashMap<>();
    series.put("1 thread", one.stream().map(value::applyAsDouble).toList());
    series.put(MANY + " threads", many.stream().map(value::applyAsDouble).toList());
    return series;
  }
}
