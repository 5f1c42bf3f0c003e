package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.comparison.Comparison;
import io.holdfast.benchmarks.comparison.Figures;
import io.holdfast.benchmarks.comparison.ProcessorsApart;
import io.holdfast.benchmarks.contender.AdapterContender;
import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.Contender.Role;
import io.holdfast.benchmarks.contender.HoldfastContender;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Of what a pair takes beyond the limit: how much is the adapter with its store, how much the
 * engine.
 */
public final class LayersPart implements Part {

  private static final String INTRO =
      """
      One thread. The bare calls, the verbs of the adapter without the engine, and the whole client take turns. A \
      ratio is to the bare calls; the adapter's share is with what the store does for it beyond them.""";

  private static final List<String> HEADER =
      List.of(
          "store",
          "p50 ratio of the adapter",
          "p50 ratio of the client",
          "beyond the limit: adapter and store",
          "engine",
          "client CPU ratio of the adapter",
          "of the client",
          "bytes beyond the limit: adapter",
          "engine");

  private static final String GIVEN_INTRO =
      """
      %s. One thread. The verbs of the adapter without the engine and the whole client take turns. A ratio is to the \
      adapter alone: what is above 1 is the engine's.""";

  private static final List<String> GIVEN_HEADER =
      List.of("", "p50 µs", "ratio", "client CPU µs", "ratio", "bytes allocated");

  @Override
  public String name() {
    return "layers";
  }

  /** Only if it is named. */
  @Override
  public boolean belongsTo(Plan.Length length) {
    return false;
  }

  @Override
  public void run(Plan plan, Consumer<Section> found) throws Exception {
    List<Figures> all = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (StoreKind kind : plan.stores()) {
      try (BenchmarkStore store = kind.start();
          ProcessorsApart apart = ProcessorsApart.now()) {
        List<Contender> contenders = new ArrayList<>(store.contenders());
        contenders.removeIf(contender -> contender.role() == Role.PEER);
        contenders.add(1, new AdapterContender(store.uri()));
        List<Figures> figures =
            new Comparison(ComparisonPart.timing(plan)).run(contenders, ComparisonPart.ONE);
        all.addAll(figures);
        rows.add(row(kind.label(), figures.get(1), figures.get(2)));
      }
    }
    if (!rows.isEmpty()) {
      found.accept(new Section("Layers", INTRO, all, List.of(new Table(HEADER, rows)), List.of()));
    }
    if (plan.given().isPresent()) {
      found.accept(given(plan.given().get(), plan));
    }
  }

  /** What its driver could do at best is not known, so the adapter is what the client adds to. */
  private static Section given(GivenStore store, Plan plan) throws Exception {
    List<Figures> figures;
    try (ProcessorsApart apart = ProcessorsApart.now()) {
      figures =
          new Comparison(ComparisonPart.timing(plan))
              .run(
                  List.of(new AdapterContender(store.uri()), new HoldfastContender(store.uri())),
                  ComparisonPart.ONE);
    }
    return new Section(
        "Layers on " + store.label(),
        GIVEN_INTRO.formatted(store.description()),
        figures,
        List.of(new Table(GIVEN_HEADER, figures.stream().map(LayersPart::given).toList())),
        List.of());
  }

  private static List<String> given(Figures figures) {
    return List.of(
        figures.name(),
        Cells.number(1, figures.medianMicros().median()),
        Cells.ratio(figures.medianRatio()),
        Cells.number(1, figures.clientCpuMicros()),
        Cells.number(2, figures.clientCpuRatio()),
        Cells.number(0, figures.allocatedBytes()));
  }

  private static List<String> row(String store, Figures adapter, Figures client) {
    double beyond = client.medianRatio().median() - 1;
    // Where the engine takes less than the rounds differ by, the adapter may seem to take more.
    double ofAdapter = Math.min(1, (adapter.medianRatio().median() - 1) / beyond);
    return List.of(
        store,
        Cells.ratio(adapter.medianRatio()),
        Cells.ratio(client.medianRatio()),
        Cells.number(0, 100 * ofAdapter) + " %",
        Cells.number(0, 100 * (1 - ofAdapter)) + " %",
        Cells.number(2, adapter.clientCpuRatio()),
        Cells.number(2, client.clientCpuRatio()),
        Cells.number(0, adapter.allocatedBeyondLimit()),
        Cells.number(0, client.allocatedBeyondLimit() - adapter.allocatedBeyondLimit()));
  }
}
