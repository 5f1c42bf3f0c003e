package io.holdfast.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.benchmarks.process.StoreProcesses.HandOver;
import io.holdfast.benchmarks.process.StoreProcesses.TakeOver;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreProcessesTest {

  @Test
  void handOversAreSummedUpWhateverTheirOrder() {
    HandOver handOver =
        StoreProcesses.handOver(
            2,
            new HandOvers.Samples(
                List.of(9.0, 1.0, 2.0, 3.0, 4.0, 10.0, 5.0, 6.0, 7.0, 8.0), List.of(0.5)));

    assertThat(handOver.millis().median()).isEqualTo(5.5);
    assertThat(handOver.p90Millis()).isEqualTo(9);
    assertThat(handOver.maxMillis()).isEqualTo(10);
  }

  @Test
  void takeOversAreMultiplesOfTheTtl() {
    assertThat(new TakeOver(2, List.of(3.0, 2.0)).multiples()).containsExactly(1.0, 1.5);
  }
}
