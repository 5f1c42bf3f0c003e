package io.holdfast.benchmarks.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadingTest {

  @Test
  void whatWasAddedMeanwhileIsTheDifference() {
    Reading before = reading(5, Map.of("get", 2.0));
    Reading after = reading(9, Map.of("get", 2.0, "set", 4.0));

    assertThat(after.since(before)).isEqualTo(reading(4, Map.of("get", 0.0, "set", 4.0)));
    assertThat(after.since(before).each(2)).isEqualTo(reading(2, Map.of("get", 0.0, "set", 2.0)));
  }

  @Test
  void countersOfSeveralSortsAreReadTogether() {
    Reading network = new Reading(Map.of(Figure.REQUESTS, 3.0), Map.of());
    Reading server = new Reading(Map.of(Figure.COMMANDS, 7.0), Map.of("get", 7.0));

    assertThat(network.plus(server))
        .isEqualTo(
            new Reading(Map.of(Figure.REQUESTS, 3.0, Figure.COMMANDS, 7.0), Map.of("get", 7.0)));
  }

  /** A heartbeat falls into one window of five at most. */
  @Test
  void whatHappensInOneWindowOnlyIsLeftOut() {
    Reading usual = reading(2, Map.of("set", 1.0));
    Reading disturbed = reading(3, Map.of("set", 1.0, "renew", 1.0));

    assertThat(Reading.median(List.of(usual, disturbed, usual))).isEqualTo(usual);
  }

  private static Reading reading(double commands, Map<String, Double> each) {
    return new Reading(Map.of(Figure.COMMANDS, commands), each);
  }
}
