package io.holdfast.benchmarks.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TailTest {

  /** A round of 1,000 pairs, of which some took 1 ms and all others 10 µs. */
  private static Histogram round(int slow) {
    Histogram times = new Histogram(3);
    times.recordValueWithCount(10_000, 1000 - slow);
    if (slow > 0) {
      times.recordValueWithCount(1_000_000, slow);
    }
    return times;
  }

  @Test
  void itIsThePercentileOfAllRoundsTogether() {
    // 30 of 2,000 are slow: in one round the tail is fast, in all together it is not.
    assertThat(Tail.of(List.of(round(0), round(30))).micros()).isCloseTo(1000, within(1.0));
  }

  @Test
  void roundsThatAgreeHaveANarrowInterval() {
    Tail tail = Tail.of(Collections.nCopies(20, round(0)));

    assertThat(tail.from()).isCloseTo(10, within(0.01));
    assertThat(tail.to()).isCloseTo(10, within(0.01));
  }

  @Test
  void aTailThatComesFromFewRoundsHasAWideInterval() {
    List<Histogram> rounds =
        Stream.concat(
                Collections.nCopies(18, round(0)).stream(),
                IntStream.range(0, 2).mapToObj(i -> round(120)))
            .toList();

    Tail tail = Tail.of(rounds);

    assertThat(tail.from()).isCloseTo(10, within(0.01));
    assertThat(tail.to()).isCloseTo(1000, within(1.0));
  }
}
