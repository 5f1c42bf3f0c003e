package io.holdfast.benchmarks.part;

import io.holdfast.AcquireOptions;
import io.holdfast.benchmarks.comparison.Comparison;
import io.holdfast.benchmarks.comparison.Figures;
import io.holdfast.benchmarks.comparison.Timing;
import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.HoldfastContender;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Compares what many threads of one JVM get from one lock, and what one thread gets from a lock
 * that stays with its client.
 */
public final class ContendedPart implements Part {

  private static final int THREADS = 64;

  private static final List<String> HEADER =
      List.of(
          "threads", "", "pairs/s", "beside it", "pairs/s", "ratio", "p99 ms", "p99 ms beside it");

  private static final String INTRO =
      """
      %s. %d threads of one JVM take one lock and give it back, as fast as they get it; Holdfast and \
      one other take turns. Peers that do not wait for a lock are left out. The last line is one thread, and \
      a lock that is `cached()` beside one that is not.""";

  @Override
  public String name() {
    return "contended";
  }

  @Override
  public boolean comparesVersions() {
    return true;
  }

  @Override
  public void run(Plan plan, Consumer<Section> found) throws Exception {
    for (StoreKind kind : plan.fewIfQuick()) {
      try (BenchmarkStore store = kind.start()) {
        found.accept(section(kind.label(), store, plan));
      }
    }
    if (plan.given().isPresent()) {
      GivenStore store = plan.given().get();
      found.accept(section(store.label(), store, plan));
    }
  }

  /** The figures of Holdfast and another, taken in turns. */
  private record Beside(Figures other, Figures holdfast) {}

  private static Section section(String label, BenchmarkStore store, Plan plan) throws Exception {
    Contender plain = new HoldfastContender(store.uri());
    List<Beside> compared = new ArrayList<>();
    for (Contender contender : plan.contenders(store)) {
      if (contender.role() == Contender.Role.PEER && contender.waitsForLocks()) {
        compared.add(beside(contender, plain, THREADS, plan));
      }
    }
    Contender cached =
        new HoldfastContender(store.uri(), "Holdfast, cached()", AcquireOptions.forever().cached());
    compared.add(beside(plain, cached, 1, plan));
    return new Section(
        "One lock on " + label,
        INTRO.formatted(store.description(), THREADS),
        compared,
        List.of(new Table(HEADER, compared.stream().map(ContendedPart::row).toList())),
        List.of());
  }

  private static Beside beside(Contender other, Contender holdfast, int threads, Plan plan)
      throws Exception {
    List<Figures> figures =
        new Comparison(timing(plan)).runOnOneLock(List.of(other, holdfast), threads);
    return new Beside(figures.get(0), figures.get(1));
  }

  private static Timing timing(Plan plan) {
    return switch (plan.length()) {
      case QUICK -> new Timing(5, Duration.ofMillis(100), Duration.ofMillis(400), 0);
      case USUAL -> new Timing(10, Duration.ofMillis(200), Duration.ofMillis(500), 1);
      case FULL -> new Timing(30, Duration.ofMillis(500), Duration.ofSeconds(5), 1);
    };
  }

  private static List<String> row(Beside beside) {
    Figures holdfast = beside.holdfast();
    Figures other = beside.other();
    return List.of(
        Integer.toString(holdfast.threads()),
        holdfast.name(),
        Cells.number(0, holdfast.pairsPerSecond().median()),
        other.name(),
        Cells.number(0, other.pairsPerSecond().median()),
        Cells.ratio(holdfast.throughputRatio()),
        Cells.number(3, holdfast.tail().micros() / 1e3),
        Cells.number(3, other.tail().micros() / 1e3));
  }
}
