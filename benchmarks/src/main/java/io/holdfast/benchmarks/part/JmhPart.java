package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.jmh.JmhRun;
import io.holdfast.benchmarks.jmh.Measured;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Asks JMH what happens inside one JVM. */
public final class JmhPart implements Part {

  private static final List<String> HEADER =
      List.of("benchmark", "threads", "time", "± (99.9 %)", "", "CPU µs", "bytes allocated");

  private static final String INTRO =
      """
      %s. The time of one operation of one thread, by JMH; what it costs the CPUs and what it \
      allocates are of the benchmark's JVM with all its threads, for `HandOverBenchmark` with the \
      bringing about of each wait, which the time leaves out. `bothClocks` reads the two clocks that each \
      `isHeld` and `check` reads, and nothing else. These figures are not measured in turns: compare \
      them within a table, and only if the machine was quiet.""";

  @Override
  public String name() {
    return "jmh";
  }

  @Override
  public void run(Plan plan, Consumer<Section> found) throws Exception {
    JmhRun jmh = thoroughness(plan);
    for (StoreKind kind : stores(plan)) {
      try (BenchmarkStore store = kind.start()) {
        List<Measured> measured = new ArrayList<>(jmh.on(store.uri()));
        if (kind == StoreKind.MEMORY) {
          measured.addAll(jmh.handOver());
        }
        found.accept(section(kind.label(), store, measured));
      }
    }
    if (plan.given().isPresent()) {
      GivenStore store = plan.given().get();
      found.accept(section(store.label(), store, jmh.on(store.uri())));
    }
  }

  private static JmhRun thoroughness(Plan plan) {
    return switch (plan.length()) {
      case QUICK -> new JmhRun(1, 1, 3, 200);
      case USUAL -> new JmhRun(1, 2, 5, 500);
      case FULL -> new JmhRun(2, 3, 5, 1000);
    };
  }

  /** All if there is time; those that were named always, because they were asked for. */
  private static List<StoreKind> stores(Plan plan) {
    if (plan.named()) {
      return plan.stores();
    }
    Set<StoreKind> few =
        switch (plan.length()) {
          case QUICK -> EnumSet.of(StoreKind.MEMORY);
          case USUAL -> EnumSet.of(StoreKind.MEMORY, StoreKind.SQLITE);
          case FULL -> EnumSet.allOf(StoreKind.class);
        };
    return plan.stores().stream().filter(few::contains).toList();
  }

  private static Section section(String label, BenchmarkStore store, List<Measured> measured) {
    return new Section(
        "JMH on " + label,
        INTRO.formatted(store.description()),
        measured,
        List.of(new Table(HEADER, measured.stream().map(JmhPart::row).toList())),
        List.of());
  }

  private static List<String> row(Measured measured) {
    return List.of(
        "`" + measured.benchmark() + "`",
        Integer.toString(measured.threads()),
        Cells.number(2, measured.score()),
        Cells.number(2, measured.error()),
        measured.unit(),
        Cells.number(2, measured.cpuNanos() / 1e3),
        Cells.number(0, measured.allocatedBytes()));
  }
}
