package io.holdfast.benchmarks.part;

import static io.holdfast.benchmarks.part.ComparisonPart.MANY;
import static io.holdfast.benchmarks.part.ComparisonPart.ONE;

import io.holdfast.benchmarks.comparison.Figures;
import io.holdfast.benchmarks.comparison.Spread;
import io.holdfast.benchmarks.report.BarChart;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.store.StoreKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The answers of a comparison to two questions: which store, and is a peer faster. */
final class Overview {

  private static final List<String> STORES =
      List.of(
          "Which backend is fastest for me?",
          "p50 µs",
          "p50 ratio",
          "p99 ratio",
          "pairs/s ratio, %d threads".formatted(MANY),
          "CPU allows, %d threads".formatted(MANY),
          "client CPU ratio",
          "bytes allocated",
          "beyond the limit");

  private static final List<String> PEERS =
      List.of(
          "Is Holdfast faster than what I use?",
          "store",
          "1 thread: its p50 / Holdfast's",
          "%d threads: its p50 / Holdfast's".formatted(MANY));

  private static final String INTRO =
      """
      Holdfast on each store, the quickest first, by one thread unless the column says otherwise. A \
      ratio is to the limit, two bare calls of the same driver (in memory: an entry of a map). Stores are measured one after the \
      other and on different servers, so on a machine that is not quiet the ratios can be trusted \
      more than the microseconds. Where many threads keep the processors busy, throughput can be \
      no more of the limit's than the CPU of client and server allows: 1 / the ratio of what a pair \
      costs them.

      Then each peer beside Holdfast on the same store, round by round: a ratio above 1 says that \
      Holdfast is faster. What a peer does not do is not on this account: most have no fencing token, \
      no queue, or no session that is renewed.

      A ratio in brackets spreads by more than 20 % over the rounds and is not usable.""";

  /**
   * Holdfast on one store.
   *
   * @param store the store
   * @param one with one thread
   * @param many with many
   */
  private record StoreLine(String store, Figures one, Figures many) {

    static StoreLine of(ComparedStore store) {
      return new StoreLine(store.name(), store.holdfast(ONE), store.holdfast(MANY));
    }

    List<String> row() {
      return List.of(
          store,
          Cells.number(1, one.medianMicros().median()),
          Cells.ratio(one.medianRatio()),
          Cells.number(2, one.tailRatio()),
          Cells.ratio(many.throughputRatio()),
          Cells.number(2, 1 / many.cpuRatio()),
          Cells.number(2, one.clientCpuRatio()),
          Cells.number(0, one.allocatedBytes()),
          Cells.number(0, one.allocatedBeyondLimit()));
    }
  }

  /**
   * A peer beside Holdfast.
   *
   * @param peer the peer
   * @param store on which store
   * @param one its median time with one thread, divided by that of Holdfast
   * @param many the same with many threads
   */
  private record PeerLine(String peer, String store, Spread one, Spread many) {

    static PeerLine of(ComparedStore store, String peer) {
      return new PeerLine(peer, store.name(), slower(store, peer, ONE), slower(store, peer, MANY));
    }

    private static Spread slower(ComparedStore store, String peer, int threads) {
      return store.peer(peer, threads).medianRatioTo(store.holdfast(threads));
    }

    List<String> row() {
      return List.of(peer, store, Cells.ratio(one), Cells.ratio(many));
    }
  }

  private record Lines(List<StoreLine> stores, List<PeerLine> peers) {}

  private Overview() {}

  /** Returns the answers about these stores. */
  static Section of(List<ComparedStore> stores) {
    Lines lines =
        new Lines(
            stores.stream()
                .map(StoreLine::of)
                .sorted(Comparator.comparingDouble(line -> line.one().medianMicros().median()))
                .toList(),
            stores.stream()
                .flatMap(store -> store.peers().stream().map(peer -> PeerLine.of(store, peer)))
                .toList());
    Table table = new Table(STORES, lines.stores().stream().map(StoreLine::row).toList());
    List<BarChart> charts = new ArrayList<>(chartOfStores(lines).stream().toList());
    if (lines.peers().isEmpty()) {
      return new Section("Overview", INTRO, lines, List.of(table), charts);
    }
    charts.add(chartOfPeers(lines));
    Table peers = new Table(PEERS, lines.peers().stream().map(PeerLine::row).toList());
    return new Section("Overview", INTRO, lines, List.of(table, peers), charts);
  }

  /**
   * Without the memory of this JVM: beside a map everything is so slow that no other bar shows.
   * Empty if there is no other store.
   */
  private static Optional<BarChart> chartOfStores(Lines all) {
    List<StoreLine> lines =
        all.stores().stream()
            .filter(line -> !line.store().equals(StoreKind.MEMORY.label()))
            .toList();
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        RatioChart.of(
            "overview-stores",
            "Holdfast: the median time of a pair, as a multiple of that of two bare calls",
            lines.stream().map(StoreLine::store).toList(),
            lines.stream().map(line -> line.one().medianRatio()).toList(),
            lines.stream().map(line -> line.many().medianRatio()).toList()));
  }

  private static BarChart chartOfPeers(Lines lines) {
    return RatioChart.of(
        "overview-peers",
        "Peers: the median time of a pair, as a multiple of that of Holdfast",
        lines.peers().stream().map(line -> line.peer() + ", " + line.store()).toList(),
        lines.peers().stream().map(PeerLine::one).toList(),
        lines.peers().stream().map(PeerLine::many).toList());
  }
}
