package io.holdfast.benchmarks.async;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PendingAcquiresTest {

  @Test
  void measuresHandOversBesideThoseThatWait() {
    PendingAcquires found = PendingAcquires.of("memory:pending-acquires", 200, 5);

    assertThat(found.pending()).isEqualTo(200);
    assertThat(found.handOversWithFew().medianMicros()).isPositive();
    assertThat(found.handOversWithMany().medianMicros()).isPositive();
    assertThat(found.ratio()).isPositive();
  }
}
