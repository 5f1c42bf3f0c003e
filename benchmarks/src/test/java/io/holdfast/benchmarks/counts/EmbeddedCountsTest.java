package io.holdfast.benchmarks.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
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
      assertThat(statements(meter, "join")).containsExactly(1.0, 1.0);
      assertThat(statements(meter, "hand-over: release, hint, look")).containsExactly(2.0, 2.0);
    }
  }

  /** Without those of a watch, of which there are more or fewer at any time. */
  private static List<Double> statements(Meter meter, String operation) {
    return meter.costs().stream()
        .filter(cost -> cost.operation().equals(operation))
        .map(cost -> verbs(cost.each().commands()))
        .toList();
  }

  private static double verbs(Map<String, Double> commands) {
    return commands.entrySet().stream()
        .filter(command -> !command.getKey().startsWith(StatementCounters.OF_WATCH))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }
}
