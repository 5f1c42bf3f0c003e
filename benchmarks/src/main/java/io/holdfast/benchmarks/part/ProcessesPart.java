package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.comparison.Spread;
import io.holdfast.benchmarks.process.ColdCommands;
import io.holdfast.benchmarks.process.ColdStart;
import io.holdfast.benchmarks.process.StoreProcesses;
import io.holdfast.benchmarks.process.StoreProcesses.Extent;
import io.holdfast.benchmarks.process.StoreProcesses.HandOver;
import io.holdfast.benchmarks.process.StoreProcesses.TakeOver;
import io.holdfast.benchmarks.report.BarChart;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Measurements that take several processes: hand-over and take-over between JVMs, and starting a
 * command.
 */
public final class ProcessesPart implements Part {

  private static final String HAND_OVERS =
      """
      Each waiter is a JVM with one client. One JVM holds the lock, and gives it back when all others \
      wait, 50 to 100 ms later. The time is from the call of `release` in one JVM to the return of \
      `acquire` in another. Both read `System.nanoTime`, on Linux CLOCK_MONOTONIC, which is one clock \
      for all processes of a machine. A line through a pipe to another JVM, in turns with the \
      hand-overs, tells what this machine needs to wake a process. ± is half the range of the middle \
      half of the hand-overs.""";

  private static final String TAKE_OVERS =
      """
      JVMs that hold a lock each are killed with SIGKILL at different moments between two heartbeats, \
      while another JVM waits for all these locks. The time is from the kill to the return of \
      `acquire`. A store that goes by a wall clock adds `maxClockStep`, 1 s, to each TTL; ZooKeeper \
      grants no TTL below two of its ticks.""";

  private static final String COLD_STARTS =
      """
      Each command runs `true` under a lock that nobody holds, in turns with the others; the store is \
      a file on this machine. CPU is user and system time with all child processes. A ratio is to the \
      bare JVM, whose main method is empty, of the same round. ± is half the range of the middle half \
      of the rounds; figures in brackets spread by more than 20 %.""";

  @Override
  public String name() {
    return "processes";
  }

  @Override
  public boolean measures(StoreKind kind) {
    return kind != StoreKind.MEMORY;
  }

  @Override
  public boolean measures(GivenStore given) {
    return isShared(given.uri());
  }

  @Override
  public void run(Plan plan, Consumer<Section> found) throws Exception {
    found.accept(coldStarts(plan));
    List<StoreProcesses.Figures> figures = new ArrayList<>();
    List<String> failed = new ArrayList<>();
    for (StoreKind kind : plan.fewIfQuick()) {
      if (measures(kind)) {
        try (BenchmarkStore store = kind.start()) {
          measure(kind.label(), store, plan, figures, failed);
        }
      }
    }
    if (plan.given().filter(this::measures).isPresent()) {
      GivenStore store = plan.given().get();
      measure(store.label(), store, plan, figures, failed);
    }
    if (figures.isEmpty() && !failed.isEmpty()) {
      throw new IOException(String.join("\n", failed));
    }
    if (!figures.isEmpty()) {
      found.accept(handOvers(figures, failed));
      found.accept(takeOvers(figures));
    }
  }

  private static void measure(
      String label,
      BenchmarkStore store,
      Plan plan,
      List<StoreProcesses.Figures> figures,
      List<String> failed)
      throws InterruptedException {
    try {
      figures.add(StoreProcesses.measure(label, store.uri(), extent(plan)));
    } catch (IOException e) {
      // The other stores' figures are right without it.
      System.err.println(e.getMessage());
      failed.add("%s is not measured: %s".formatted(label, e.getCause()));
    }
  }

  /** A store in the memory of one process, or in a file that one process opens, is not. */
  static boolean isShared(String uri) {
    boolean ofOneProcess =
        uri.startsWith("jdbc:h2:")
            && !uri.startsWith("jdbc:h2:tcp:")
            && !uri.toUpperCase(Locale.ROOT).contains("AUTO_SERVER=TRUE");
    return !ofOneProcess && !uri.startsWith("memory:");
  }

  private static Extent extent(Plan plan) {
    return switch (plan.length()) {
      case QUICK -> new Extent(List.of(2), 15, Duration.ofSeconds(2));
      case USUAL -> new Extent(List.of(2, 10), 20, Duration.ofSeconds(3));
      case FULL -> new Extent(List.of(2, 10, 40), 100, Duration.ofSeconds(15));
    };
  }

  private static Section coldStarts(Plan plan) throws Exception {
    int rounds =
        switch (plan.length()) {
          case QUICK -> 7;
          case USUAL -> 15;
          case FULL -> 40;
        };
    try (ColdCommands commands = new ColdCommands()) {
      List<ColdStart.Figures> figures = ColdStart.run(commands.commands(), rounds);
      return new Section(
          "Cold start",
          COLD_STARTS + " " + String.join(" ", commands.missing()),
          figures,
          List.of(
              new Table(
                  List.of("", "wall ms", "ratio", "CPU ms", "ratio"),
                  figures.stream()
                      .map(
                          each ->
                              List.of(
                                  each.name(),
                                  spread(1, each.wallMillis()),
                                  spread(2, each.wallRatio()),
                                  spread(1, each.cpuMillis()),
                                  spread(2, each.cpuRatio())))
                      .toList())),
          List.of(
              new BarChart(
                  "cold-start",
                  "Running true under a lock",
                  "ms",
                  figures.stream().map(ColdStart.Figures::name).toList(),
                  Map.of(
                      "wall", figures.stream().map(each -> each.wallMillis().median()).toList(),
                      "CPU", figures.stream().map(each -> each.cpuMillis().median()).toList()))));
    }
  }

  private static Section handOvers(List<StoreProcesses.Figures> figures, List<String> failed) {
    List<List<String>> rows = new ArrayList<>();
    Map<String, List<Double>> series = new LinkedHashMap<>();
    for (StoreProcesses.Figures store : figures) {
      for (HandOver each : store.handOvers()) {
        series
            .computeIfAbsent(each.waiters() + " JVMs wait", name -> new ArrayList<>())
            .add(each.millis().median());
        rows.add(
            List.of(
                store.store(),
                Integer.toString(each.waiters()),
                Integer.toString(each.handOvers()),
                spread(2, each.millis()),
                number(2, each.p90Millis()),
                number(2, each.maxMillis()),
                spread(2, each.pipeMillis())));
      }
    }
    return new Section(
        "Hand-over between JVMs",
        String.join("\n\n", Stream.concat(Stream.of(HAND_OVERS), failed.stream()).toList()),
        figures,
        List.of(
            new Table(
                List.of("store", "JVMs waiting", "hand-overs", "p50 ms", "p90", "max", "pipe p50"),
                rows)),
        List.of(
            new BarChart(
                "hand-over",
                "From release in one JVM to acquired in another, p50",
                "ms",
                figures.stream().map(StoreProcesses.Figures::store).toList(),
                series)));
  }

  private static Section takeOvers(List<StoreProcesses.Figures> figures) {
    List<List<String>> rows = new ArrayList<>();
    for (StoreProcesses.Figures store : figures) {
      TakeOver takeOver = store.takeOver();
      List<Double> multiples = takeOver.multiples();
      rows.add(
          List.of(
              store.store(),
              number(0, takeOver.ttlSeconds()),
              Integer.toString(multiples.size()),
              number(2, multiples.get(0)),
              number(2, multiples.get(multiples.size() / 2)),
              number(2, multiples.get(multiples.size() - 1))));
    }
    return new Section(
        "Take-over after kill -9",
        TAKE_OVERS,
        figures.stream().map(StoreProcesses.Figures::takeOver).toList(),
        List.of(new Table(List.of("store", "TTL s", "kills", "least × TTL", "p50", "max"), rows)),
        List.of());
  }

  private static String spread(int digits, Spread spread) {
    String text =
        "%s ± %s %%".formatted(number(digits, spread.median()), number(0, spread.spread() * 50));
    return spread.usable() ? text : "(" + text + ")";
  }

  private static String number(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
