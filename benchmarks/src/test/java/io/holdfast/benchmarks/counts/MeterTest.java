package io.holdfast.benchmarks.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MeterTest {

  private double asked;
  private final Meter meter =
      new Meter(
          new CountedStore(
              "counts what it is told",
              () -> {
                throw new AssertionError("Nobody connects to it.");
              },
              List.of(() -> new Reading(Map.of(Figure.REQUESTS, asked), Map.of())),
              List.of()));

  private double of(String operation) {
    return meter.costs().stream()
        .filter(cost -> cost.operation().equals(operation))
        .mapToDouble(cost -> cost.each().figures().get(Figure.REQUESTS))
        .sum();
  }

  private Runnable asks(int first, int times, int then) {
    int[] done = {0};
    return () -> asked += done[0]++ < times ? first : then;
  }

  /** Four connections that each prepare two statements after five executions. */
  @Test
  void whatADriverStillPreparesIsNotCounted() {
    meter.countInTurns(
        "", 1, new Meter.Step("first", asks(3, 40, 1)), new Meter.Step("second", asks(1, 0, 2)));
    meter.count("alone", "", asks(3, 40, 1));

    assertThat(of("first")).isEqualTo(1);
    assertThat(of("second")).isEqualTo(2);
    assertThat(of("alone")).isEqualTo(1);
  }

  @Test
  void aWindowHasTenEvenWhereTheOthersTurnComesAfterEach() {
    int[] done = {0};
    Runnable everyTenthAsksMore = () -> asked += done[0]++ % 10 == 0 ? 11 : 1;

    meter.countInTurns(
        "", 1, new Meter.Step("first", everyTenthAsksMore), new Meter.Step("second", () -> {}));

    assertThat(of("first")).isEqualTo(2);
  }

  /** Three at a time make twelve. */
  @Test
  void whatIsCountedIsForEachOperation() {
    meter.countInTurns(
        "", 3, new Meter.Step("first", () -> asked++), new Meter.Step("second", () -> asked += 2));

    assertThat(of("first")).isEqualTo(1);
    assertThat(of("second")).isEqualTo(2);
  }
}
