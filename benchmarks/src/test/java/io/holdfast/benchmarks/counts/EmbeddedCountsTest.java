package io.holdfast.benchmarks.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts as a run does, on the databases that need no server. */
class EmbeddedCountsTest {

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "h2"})
  void statementsAreThoseThatTheDocsState(String kind) {
    try (CountedStore store = CountedStores.start(kind).orElseThrow()) {
      Meter meter = new Meter(store);
      HeldLocks.count(store, meter, List.of(1, 5));
      WaitingQueue.count(store, meter, List.of(2, 4));

      assertThat(statements(meter, "grab")).containsExactly(1.0, 1.0);
      assertThat(statements(meter, "release")).containsExactly(1.0, 1.0);
      assertThat(statements(meter, "pair of a client")).containsExactly(2.0, 2.0);
      assertThat(statements(meter, "heartbeat")).containsExactly(1.0, 1.0);
      // A watch reads at any time, on H2 after each write to the file, so more may be counted.
      assertThat(statements(meter, "join")).allMatch(each -> each >= 1.0);
      assertThat(statements(meter, "hand-over: release, hint, look")).allMatch(each -> each >= 2.0);
      if (kind.equals("sqlite")) {
        assertThat(statements(meter, "join")).containsExactly(1.0, 1.0);
        assertThat(statements(meter, "hand-over: release, hint, look")).containsExactly(2.0, 2.0);
      }
    }
  }

  private static List<Double> statements(Meter meter, String operation) {
    return meter.costs().stream()
        .filter(cost -> cost.operation().equals(operation))
        .map(cost -> cost.each().figures().get(Figure.COMMANDS))
        .toList();
  }
}
