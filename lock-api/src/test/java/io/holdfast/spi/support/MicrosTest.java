package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BadRequestException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MicrosTest {

  @Test
  void wholeMicrosecondsAreKept() {
    assertThat(Micros.exactly("maxTtl", Duration.ofSeconds(7, 123_456_000))).isEqualTo(7_123_456);
  }

  @Test
  void whatWouldBeCutOffIsRefused() {
    assertThatThrownBy(() -> Micros.exactly("maxTtl", Duration.ofNanos(1_001)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("maxTtl");
  }
}
