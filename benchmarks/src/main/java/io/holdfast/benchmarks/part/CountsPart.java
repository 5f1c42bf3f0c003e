package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.counts.Cost;
import io.holdfast.benchmarks.counts.CountedStore;
import io.holdfast.benchmarks.counts.CountedStores;
import io.holdfast.benchmarks.counts.Figure;
import io.holdfast.benchmarks.counts.HeapCost;
import io.holdfast.benchmarks.counts.Sizes;
import io.holdfast.benchmarks.counts.StoreCounts;
import io.holdfast.benchmarks.report.BarChart;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Counts what operations ask of each store, and what a client keeps in its memory. */
public final class CountsPart implements Part {

  private static final String NOT_TOLD = "";

  private static final List<String> HEAP_HEADER = List.of("in the client's heap", "bytes for each");

  @Override
  public String name() {
    return "counts";
  }

  /** Counting takes a server with settings for it, which the run starts. */
  @Override
  public boolean measures(GivenStore given) {
    return false;
  }

  @Override
  public void run(Plan plan, Consumer<Section> found) throws Exception {
    List<StoreCounts> counts = new ArrayList<>();
    for (StoreKind kind : plan.fewIfQuick()) {
      Optional<CountedStore> started = CountedStores.start(kind.label());
      if (started.isPresent()) {
        try (CountedStore store = started.get()) {
          StoreCounts each = StoreCounts.of(kind.label(), store, sizes(plan));
          counts.add(each);
          found.accept(section(each));
        }
      }
    }
    List<StoreCounts> asked = counts.stream().filter(each -> !each.costs().isEmpty()).toList();
    if (asked.size() > 1) {
      found.accept(overview(asked));
    }
  }

  private static Sizes sizes(Plan plan) {
    return switch (plan.length()) {
      case QUICK -> new Sizes(List.of(1, 100), List.of(2, 20), Duration.ZERO, 200, 100);
      case USUAL ->
          new Sizes(List.of(1, 1_000), List.of(2, 100), Duration.ofSeconds(5), 1_000, 200);
      case FULL ->
          new Sizes(
              List.of(1, 1_000, 10_000),
              List.of(2, 100, 1_000),
              Duration.ofSeconds(15),
              10_000,
              1_000);
    };
  }

  private static Section section(StoreCounts counts) {
    String intro =
        """
        %s. Each number is for one operation, the median of five windows of ten or a few more, \
        after forty that are not counted: by then drivers have prepared their statements. Round \
        trips are those that wait for one another; requests that are sent together are one. A \
        watch that a waiter leaves at a server is a request, too, though nobody waits for its \
        answer. A pair is by a whole client; so are turns, of which a window has %d, the median of \
        %d, and waiting, which is one window: both depend on how fast the machine is, as the \
        server's time does. The others are single calls of the adapter, and the same on any \
        machine, but for the statements of the thread that watches for a client on MariaDB, SQLite \
        and H2: those come with the time that passes, and are counted with the operation \
        meanwhile."""
            .formatted(
                counts.settings(), StoreCounts.TURNS_IN_WINDOW, StoreCounts.WINDOWS_OF_TURNS);
    List<Table> tables = new ArrayList<>();
    if (!counts.costs().isEmpty()) {
      tables.add(costs(counts.costs()));
      tables.add(commands(counts.costs()));
    }
    tables.add(heap(counts.heap()));
    return new Section("Counts on " + counts.store(), intro, counts, tables, List.of());
  }

  private static Table costs(List<Cost> costs) {
    List<Figure> told =
        Arrays.stream(Figure.values())
            .filter(figure -> costs.get(0).each().figures().containsKey(figure))
            .toList();
    List<String> header = new ArrayList<>(List.of("operation", "with"));
    told.forEach(figure -> header.add(figure.heading()));
    List<List<String>> rows = new ArrayList<>();
    for (Cost cost : costs) {
      List<String> row = new ArrayList<>(List.of(cost.operation(), cost.state()));
      told.forEach(figure -> row.add(number(figure, cost)));
      rows.add(row);
    }
    return new Table(header, rows);
  }

  private static Table commands(List<Cost> costs) {
    return new Table(
        List.of("operation", "with", "of the store's commands"),
        costs.stream()
            .map(cost -> List.of(cost.operation(), cost.state(), commands(cost)))
            .toList());
  }

  private static String commands(Cost cost) {
    return new TreeMap<>(cost.each().commands())
        .entrySet().stream()
            .map(each -> each.getKey() + " " + number(each.getValue()))
            .collect(Collectors.joining(", "));
  }

  private static Table heap(HeapCost heap) {
    return new Table(
        HEAP_HEADER,
        List.of(
            List.of("%,d locks held".formatted(heap.held()), "%,d".formatted(heap.heldBytes())),
            List.of(
                "%,d locks waited for, without the threads".formatted(heap.waiting()),
                "%,d".formatted(heap.waitingBytes()))));
  }

  /** The operations in their smallest state, store beside store. */
  private static Section overview(List<StoreCounts> counts) {
    List<String> operations =
        counts.get(0).costs().stream().map(Cost::operation).distinct().toList();
    List<String> header = new ArrayList<>(List.of("operation", "store"));
    Arrays.stream(Figure.values()).forEach(figure -> header.add(figure.heading()));
    List<List<String>> rows = new ArrayList<>();
    Map<String, List<Double>> commands = new LinkedHashMap<>();
    for (String operation : operations) {
      List<Double> bars = new ArrayList<>();
      for (StoreCounts store : counts) {
        Cost cost = first(store, operation);
        List<String> row = new ArrayList<>(List.of(operation, store.store()));
        Arrays.stream(Figure.values()).forEach(figure -> row.add(number(figure, cost)));
        rows.add(row);
        bars.add(asked(cost));
      }
      commands.put(operation, bars);
    }
    BarChart chart =
        new BarChart(
            "counts",
            "How often a store is asked for an operation",
            "requests, or statements of a database in the process",
            counts.stream().map(StoreCounts::store).toList(),
            commands);
    return new Section(
        "Counts beside each other",
        "Each with the fewest locks held and the fewest waiting.",
        List.of(),
        List.of(new Table(header, rows)),
        List.of(chart));
  }

  private static Cost first(StoreCounts store, String operation) {
    return store.costs().stream()
        .filter(cost -> cost.operation().equals(operation))
        .findFirst()
        .orElseThrow();
  }

  private static double asked(Cost cost) {
    Map<Figure, Double> figures = cost.each().figures();
    Figure inProcess = Figure.COMMANDS;
    return figures.getOrDefault(Figure.REQUESTS, figures.getOrDefault(inProcess, 0.0));
  }

  private static String number(Figure figure, Cost cost) {
    return Optional.ofNullable(cost.each().figures().get(figure))
        .map(CountsPart::number)
        .orElse(NOT_TOLD);
  }

  /** With one digit behind the point where it is not a whole number, and not a large one. */
  private static String number(double value) {
    boolean isWhole = value >= 100 || Math.abs(value - Math.rint(value)) < 0.05;
    return String.format(Locale.ROOT, isWhole ? "%,.0f" : "%.1f", value);
  }
}
