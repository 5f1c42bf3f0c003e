package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.async.PendingAcquires;
import io.holdfast.benchmarks.async.PendingAcquires.HandOvers;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Measures one client with many asynchronous acquires that wait, each for a lock of its own. */
public final class AsyncPart implements Part {

  private static final String INTRO =
      """
      One client waits for many locks at once, which another client of this JVM holds. A hand-over of one more lock is measured from \
      the call of `release()` in the other client to the completion of the future, with %d acquires that wait, with all, and \
      with %d again; the ratio is that of the medians. The heap and the threads are what this JVM has more with all than with %d.""";

  private static final List<String> HEADER =
      List.of(
          "store",
          "waiting",
          "heap MB",
          "threads",
          "until all wait, s",
          "hand-over with few, µs (p90)",
          "with all",
          "with few again",
          "ratio",
          "until all are withdrawn, s");

  @Override
  public String name() {
    return "async";
  }

  @Override
  public boolean belongsTo(Plan.Length length) {
    return length == Plan.Length.FULL;
  }

  @Override
  public void run(Plan plan, Consumer<Section> found) throws Exception {
    List<PendingAcquires> figures = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (StoreKind kind : plan.stores()) {
      try (BenchmarkStore store = kind.start()) {
        measure(kind.label(), store, plan, figures, rows);
      }
    }
    if (plan.given().isPresent()) {
      GivenStore store = plan.given().get();
      measure(store.label(), store, plan, figures, rows);
    }
    int few = PendingAcquires.FEW;
    found.accept(
        new Section(
            "Asynchronous acquires that wait",
            INTRO.formatted(few, few, few),
            figures,
            List.of(new Table(HEADER, rows)),
            List.of()));
  }

  private static void measure(
      String label,
      BenchmarkStore store,
      Plan plan,
      List<PendingAcquires> figures,
      List<List<String>> rows) {
    boolean quick = plan.length() == Plan.Length.QUICK;
    PendingAcquires found = PendingAcquires.of(store.uri(), quick ? 10_000 : 100_000, 500);
    figures.add(found);
    rows.add(
        List.of(
            label,
            String.format(Locale.ROOT, "%,d", found.pending()),
            Cells.number(1, found.heapMegabytes()),
            Integer.toString(found.threads()),
            Cells.number(1, found.askedSeconds()),
            micros(found.handOversWithFew()),
            micros(found.handOversWithMany()),
            micros(found.handOversAfterwards()),
            Cells.number(2, found.ratio()),
            Cells.number(1, found.cancelledSeconds())));
  }

  private static String micros(HandOvers handOvers) {
    return "%s (%s)"
        .formatted(
            Cells.number(0, handOvers.medianMicros()), Cells.number(0, handOvers.p90Micros()));
  }
}
