package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.comparison.Comparison;
import io.holdfast.benchmarks.comparison.Figures;
import io.holdfast.benchmarks.comparison.ProcessorsApart;
import io.holdfast.benchmarks.comparison.Spread;
import io.holdfast.benchmarks.comparison.Timing;
import io.holdfast.benchmarks.report.BarChart;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Compares Holdfast with the limit and with its peers, on each store. */
public final class ComparisonPart implements Part {

  /** The numbers of threads that are compared. */
  static final int ONE = 1;

  static final int MANY = 16;

  private static final List<String> HEADER =
      List.of(
          "threads",
          "",
          "p50 µs",
          "p50 ratio",
          "p99 µs (95 %)",
          "p99 ratio",
          "pairs/s",
          "ratio",
          "client CPU µs",
          "ratio",
          "server CPU µs",
          "bytes allocated beyond the reference");

  @Override
  public String name() {
    return "comparison";
  }

  @Override
  public boolean comparesVersions() {
    return true;
  }

  @Override
  public void run(Plan plan, Consumer<Section> found) throws Exception {
    List<ComparedStore> stores = new ArrayList<>();
    for (StoreKind kind : plan.stores()) {
      try (BenchmarkStore store = kind.start()) {
        List<Figures> figures = compared(plan, store);
        found.accept(section(kind.label(), store, figures));
        String name = store.isReal() ? kind.label() : kind.label() + " (an imitation)";
        stores.add(new ComparedStore(name, figures));
      }
    }
    if (plan.given().isPresent()) {
      GivenStore store = plan.given().get();
      found.accept(section(store.label(), store, compared(plan, store)));
    }
    if (!stores.isEmpty()) {
      found.accept(Overview.of(stores));
    }
  }

  private static List<Figures> compared(Plan plan, BenchmarkStore store) throws Exception {
    List<Figures> figures = new ArrayList<>();
    ProcessorsApart processors = ProcessorsApart.now();
    try {
      // Many threads first: they have the code compiled that one thread would run for long as it
      // is.
      for (int threads : List.of(MANY, ONE)) {
        figures.addAll(0, new Comparison(timing(plan)).run(plan.contenders(store), threads));
      }
    } finally {
      processors.close();
    }
    return figures;
  }

  /**
   * All contenders on all stores are about 35, with one thread and with many: about a minute, up to
   * ten on a machine that is not quiet, and an hour.
   */
  static Timing timing(Plan plan) {
    return switch (plan.length()) {
      case QUICK -> new Timing(20, Duration.ofMillis(25), Duration.ofMillis(400), 0);
      case USUAL -> new Timing(20, Duration.ofMillis(75), Duration.ofMillis(1200), 2);
      case FULL -> new Timing(50, Duration.ofMillis(250), Duration.ofSeconds(5), 2);
    };
  }

  private static Section section(String label, BenchmarkStore store, List<Figures> figures) {
    String settings =
        figures.stream()
            .map(each -> "- %s: %s.".formatted(each.name(), each.settings()))
            .distinct()
            .collect(Collectors.joining("\n"));
    String intro =
        """
        %s. A pair is one lock taken and given back. A ratio is to %s: the median over the \
        rounds, and half the range of the middle half of the rounds. A ratio in brackets spreads by more than 20 %% and \
        is not usable.

        %s"""
            .formatted(store.description(), store.reference(), settings);
    return new Section(
        "Pairs on " + label,
        intro,
        figures,
        List.of(new Table(HEADER, figures.stream().map(ComparisonPart::row).toList())),
        List.of(chart(label, figures)));
  }

  private static List<String> row(Figures figures) {
    return List.of(
        Integer.toString(figures.threads()),
        figures.name(),
        Cells.number(1, figures.medianMicros().median()),
        Cells.ratio(figures.medianRatio()),
        "%s (%s to %s)"
            .formatted(
                Cells.number(0, figures.tail().micros()),
                Cells.number(0, figures.tail().from()),
                Cells.number(0, figures.tail().to())),
        Cells.number(2, figures.tailRatio()),
        Cells.number(0, figures.pairsPerSecond().median()),
        Cells.ratio(figures.throughputRatio()),
        Cells.number(1, figures.clientCpuMicros()),
        Cells.number(2, figures.clientCpuRatio()),
        Cells.number(1, figures.serverCpuMicros()),
        Cells.number(0, figures.allocatedBeyondLimit()));
  }

  private static BarChart chart(String label, List<Figures> figures) {
    return RatioChart.of(
        "pairs-" + label,
        label + ": the median time of a pair, as a multiple of that of " + figures.get(0).name(),
        figures.stream().map(Figures::name).distinct().toList(),
        ratios(figures, ONE),
        ratios(figures, MANY));
  }

  private static List<Spread> ratios(List<Figures> figures, int threads) {
    return figures.stream()
        .filter(each -> each.threads() == threads)
        .map(Figures::medianRatio)
        .toList();
  }
}
