package io.holdfast.benchmarks.part;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.benchmarks.comparison.Figures;
import io.holdfast.benchmarks.comparison.Spread;
import io.holdfast.benchmarks.comparison.Tail;
import io.holdfast.benchmarks.contender.Contender.Role;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.store.StoreKind;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OverviewTest {

  private static Figures figures(String name, Role role, int threads, List<Double> micros) {
    Spread ratio = Spread.of(micros);
    return new Figures(
        name,
        role,
        "none",
        threads,
        1,
        micros,
        ratio,
        ratio,
        new Tail(1, 1, 1),
        1,
        ratio,
        ratio,
        1,
        1,
        1,
        1,
        1,
        1);
  }

  private static ComparedStore store(String name, List<Double> holdfast, List<Double> peer) {
    return new ComparedStore(
        name,
        Stream.of(ComparisonPart.ONE, ComparisonPart.MANY)
            .flatMap(
                threads ->
                    Stream.of(
                        figures("bare", Role.LIMIT, threads, List.of(1.0, 1.0, 1.0)),
                        figures("Holdfast", Role.HOLDFAST, threads, holdfast),
                        figures("peer", Role.PEER, threads, peer)))
            .toList());
  }

  @Test
  void theQuickestStoreIsTheFirst() {
    List<Double> peer = List.of(1.0, 1.0, 1.0);
    Section overview =
        Overview.of(
            List.of(
                store("slow", List.of(9.0, 9.0, 9.0), peer),
                store("quick", List.of(3.0, 3.0, 3.0), peer)));

    assertThat(overview.tables().get(0).rows())
        .extracting(row -> row.get(0))
        .containsExactly("quick", "slow");
  }

  @Test
  void aPeerIsComparedWithHoldfastRoundByRound() {
    // The machine became ten times slower in the second round, for both.
    Section overview =
        Overview.of(
            List.of(store("store", List.of(2.0, 20.0, 2.0, 2.0), List.of(3.0, 30.0, 3.0, 3.0))));

    assertThat(overview.tables().get(1).rows())
        .containsExactly(List.of("peer", "store", "1.50 ± 0 %", "1.50 ± 0 %"));
  }

  @Test
  void aRatioThatSpreadsTooFarIsInBrackets() {
    Section overview =
        Overview.of(List.of(store("store", List.of(1.0, 1.0, 1.0), List.of(1.0, 2.0, 3.0))));

    assertThat(overview.tables().get(1).rows())
        .containsExactly(List.of("peer", "store", "(2.00 ± 25 %)", "(2.00 ± 25 %)"));
  }

  @Test
  void withoutPeersThereIsNothingToAskAboutThem() {
    ComparedStore store =
        new ComparedStore(
            "memory",
            Stream.of(ComparisonPart.ONE, ComparisonPart.MANY)
                .map(threads -> figures("Holdfast", Role.HOLDFAST, threads, List.of(1.0)))
                .toList());

    assertThat(Overview.of(List.of(store)).tables()).hasSize(1);
  }

  @Test
  void memoryAloneHasNoChart() {
    ComparedStore store =
        new ComparedStore(
            StoreKind.MEMORY.label(),
            Stream.of(ComparisonPart.ONE, ComparisonPart.MANY)
                .map(threads -> figures("Holdfast", Role.HOLDFAST, threads, List.of(1.0)))
                .toList());

    assertThat(Overview.of(List.of(store)).charts()).isEmpty();
  }
}
