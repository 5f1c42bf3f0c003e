package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.comparison.Comparison;
import io.holdfast.benchmarks.comparison.Figures;
import io.holdfast.benchmarks.comparison.ProcessorsApart;
import io.holdfast.benchmarks.comparison.Spread;
import io.holdfast.benchmarks.comparison.Timing;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.rungs.Ladders;
import io.holdfast.benchmarks.rungs.Rung;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What each promise takes: bare statements of which each does one thing more than the last. */
public final class RungsPart implements Part {

  private static final String INTRO =
      """
      %s. One thread. The rungs take turns; all but the last two are bare calls of the driver. A ratio is to the \
      limit. A share is of what the adapter takes beyond the limit, and the client's comes on top; one that is \
      smaller than the rounds differ by, or below zero, says that the rung adds nothing that can be measured. There are none where the \
      adapter takes no longer than the limit but for that difference.""";

  private static final List<String> HEADER =
      List.of(
          "rung",
          "what it adds",
          "what demands it",
          "p50 µs",
          "p50 ratio",
          "share of the adapter's time beyond the limit");

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
  public boolean measures(StoreKind kind) {
    return Ladders.exists(kind);
  }

  /** What its driver could do at best is not known. */
  @Override
  public boolean measures(GivenStore given) {
    return false;
  }

  @Override
  public void run(Plan plan, Consumer<Section> found) throws Exception {
    for (StoreKind kind : plan.stores().stream().filter(this::measures).toList()) {
      try (BenchmarkStore store = kind.start();
          ProcessorsApart apart = ProcessorsApart.now()) {
        List<Rung> rungs = Ladders.of(kind, store);
        List<Figures> figures =
            new Comparison(timing(plan))
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

  /**
   * More rounds from the beginning, instead of doubled ones where they do not agree: with four
   * times as many, PostgreSQL's limit took half as long again in the end as in the beginning,
   * presumably for the dead rows that it leaves until a vacuum comes.
   */
  private static Timing timing(Plan plan) {
    Timing usual = ComparisonPart.timing(plan);
    return new Timing(2 * usual.rounds(), usual.batch(), usual.warmup(), 0);
  }

  /** The adapter is the last but one. */
  private static List<List<String>> rows(List<Rung> rungs, List<Figures> figures) {
    Spread adapter = figures.get(figures.size() - 2).medianRatio();
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < rungs.size(); i++) {
      Figures found = figures.get(i);
      Spread below = figures.get(Math.max(0, i - 1)).medianRatio();
      rows.add(
          List.of(
              Integer.toString(i),
              rungs.get(i).adds(),
              rungs.get(i).clause(),
              Cells.number(1, found.medianMicros().median()),
              Cells.ratio(found.medianRatio()),
              i == 0 ? "" : share(below, found.medianRatio(), adapter)));
    }
    return rows;
  }

  /**
   * In brackets if one of the three is not usable. Empty where the adapter takes no longer than the
   * limit but for what the rounds differ by: nothing is left to have a share of.
   */
  private static String share(Spread below, Spread rung, Spread adapter) {
    double beyond = adapter.median() - 1;
    if (beyond <= adapter.median() * adapter.spread() / 2) {
      return "";
    }
    String text = Math.round(100 * (rung.median() - below.median()) / beyond) + " %";
    return Stream.of(below, rung, adapter).allMatch(Spread::usable) ? text : "(" + text + ")";
  }
}
