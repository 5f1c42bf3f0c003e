package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.comparison.Comparison;
import io.holdfast.benchmarks.comparison.Figures;
import io.holdfast.benchmarks.comparison.ProcessorsApart;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.rungs.Ladders;
import io.holdfast.benchmarks.rungs.Rung;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What each promise takes: bare statements of which each does one thing more than the last. */
public final class RungsPart implements Part {

  private static final String INTRO =
      """
      %s. One thread. The rungs take turns; all but the last two are bare calls of the driver. A ratio is to the \
      limit. A share is of what the adapter takes beyond the limit; one that is below zero, or smaller than the \
      rounds differ by, says that the rung adds next to nothing.""";

  private static final List<String> HEADER =
      List.of(
          "rung", "what it adds", "what demands it", "p50 ratio", "share of the adapter's", "µs");

  @Override
  public String name() {
    return "rungs";
  }

  /** Only if it is named. */
  @Override
  public boolean belongsTo(Plan.Length length) {
    return false;
  }

  @Override
  public void run(Plan plan, Consumer<Section> found) throws Exception {
    for (StoreKind kind : plan.stores()) {
      try (BenchmarkStore store = kind.start();
          ProcessorsApart apart = ProcessorsApart.now()) {
        List<Rung> rungs = Ladders.of(kind, store);
        if (!rungs.isEmpty()) {
          List<Figures> figures =
              new Comparison(ComparisonPart.timing(plan))
                  .run(rungs.stream().map(Rung::contender).toList(), ComparisonPart.ONE);
          found.accept(
              new Section(
                  "Rungs on " + kind.label(),
                  INTRO.formatted(store.description()),
                  figures,
                  List.of(new Table(HEADER, rows(rungs, figures))),
                  List.of()));
        }
      }
    }
  }

  /** The adapter is the last but one. */
  private static List<List<String>> rows(List<Rung> rungs, List<Figures> figures) {
    double ofAdapter = ratio(figures.get(figures.size() - 2)) - 1;
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < rungs.size(); i++) {
      String share =
          i == 0
              ? ""
              : Cells.number(
                      0, 100 * (ratio(figures.get(i)) - ratio(figures.get(i - 1))) / ofAdapter)
                  + " %";
      rows.add(
          List.of(
              Integer.toString(i),
              rungs.get(i).adds(),
              rungs.get(i).clause(),
              Cells.ratio(figures.get(i).medianRatio()),
              share,
              Cells.number(1, figures.get(i).medianMicros().median())));
    }
    return rows;
  }

  private static double ratio(Figures figures) {
    return figures.medianRatio().median();
  }
}
