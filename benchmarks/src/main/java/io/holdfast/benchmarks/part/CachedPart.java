package io.holdfast.benchmarks.part;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.benchmarks.comparison.Comparison;
import io.holdfast.benchmarks.comparison.Figures;
import io.holdfast.benchmarks.comparison.Timing;
import io.holdfast.benchmarks.counts.CountedPairs;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import io.holdfast.tck.faults.Verb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Measures what it takes to take a lock again that has stayed with its client. */
public final class CachedPart implements Part {

  private static final String INTRO =
      """
      One thread takes a lock that is `cached()` again and again, and gives it back, after a first time that asks the \
      store. The time has one reading of the clock in it. Each call of the adapter is counted, but for the client's \
      heartbeats (RENEW), which come with the time and not with the pairs. A number that the store has given has %d tokens: \
      when they are used up, the lock is given back (RELEASE) and the next pair asks the store (GRAB)."""
          .formatted(FencingToken.LOCAL_PARTS - 1);

  private static final List<String> HEADER =
      List.of(
          "store",
          "p50 ns",
          "pairs/s",
          "pairs",
          "store calls per 1,000 pairs",
          "calls of all pairs");

  @Override
  public String name() {
    return "cached";
  }

  /**
   * The figures of a store.
   *
   * @param store the store
   * @param figures its times
   * @param pairs how many were counted
   * @param calls how often they called each verb
   */
  private record Cached(String store, Figures figures, long pairs, Map<Verb, Long> calls) {

    static Cached on(String label, BenchmarkStore store, Plan plan) throws Exception {
      CountedPairs pairs = new CountedPairs(store.uri(), AcquireOptions.forever().cached());
      List<Figures> figures = new Comparison(timing(plan)).run(List.of(pairs), 1);
      return new Cached(label, figures.get(0), pairs.pairs(), pairs.calls());
    }

    /** Without heartbeats, which come with the time and not with the pairs. */
    double callsPerThousand() {
      long all = calls.values().stream().mapToLong(Long::longValue).sum();
      return 1e3 * (all - calls.getOrDefault(Verb.RENEW, 0L)) / pairs;
    }

    String eachCall() {
      return new TreeMap<>(calls)
          .entrySet().stream()
              .map(each -> "%s %s".formatted(each.getKey(), each.getValue()))
              .collect(Collectors.joining(", "));
    }

    List<String> row() {
      return List.of(
          store,
          Cells.nanos(figures.medianMicros()),
          Cells.number(0, figures.pairsPerSecond().median()),
          Long.toString(pairs),
          Cells.number(2, callsPerThousand()),
          eachCall());
    }
  }

  @Override
  public void run(Plan plan, Consumer<Section> found) throws Exception {
    List<Cached> all = new ArrayList<>();
    for (StoreKind kind : plan.fewIfQuick()) {
      try (BenchmarkStore store = kind.start()) {
        all.add(Cached.on(kind.label(), store, plan));
      }
    }
    if (plan.given().isPresent()) {
      GivenStore store = plan.given().get();
      all.add(Cached.on(store.label(), store, plan));
    }
    Table table = new Table(HEADER, all.stream().map(Cached::row).toList());
    found.accept(new Section("Cached locks", INTRO, all, List.of(table), List.of()));
  }

  /** Some seconds on each store, with its start. */
  private static Timing timing(Plan plan) {
    return switch (plan.length()) {
      case QUICK -> new Timing(10, Duration.ofMillis(50), Duration.ofMillis(500), 0);
      case USUAL -> new Timing(20, Duration.ofMillis(100), Duration.ofSeconds(1), 0);
      case FULL -> new Timing(50, Duration.ofMillis(250), Duration.ofSeconds(5), 0);
    };
  }
}
