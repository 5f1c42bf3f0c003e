package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BatchesTest {

  @Test
  void allAreThereInTheirOrder() {
    assertThat(Batches.of(List.of(1, 2, 3, 4, 5), 2))
        .containsExactly(List.of(1, 2), List.of(3, 4), List.of(5));
    assertThat(Batches.of(List.of(1, 2), 2)).containsExactly(List.of(1, 2));
  }

  @Test
  void ofNothingThereIsNone() {
    assertThat(Batches.of(List.of(), 2)).isEmpty();
  }
}
