package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.NamespaceSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamespaceTextTest {

  private static final NamespaceText NAMESPACE =
      new NamespaceText(
          new NamespaceSettings(1, 3, Duration.ofNanos(60_000_000_001L), Duration.ofSeconds(2)),
          1_700_000_000_000_000L);

  @Test
  void whatIsWrittenIsReadAgain() {
    assertThat(NamespaceText.parse(NAMESPACE.encode())).isEqualTo(NAMESPACE);
  }

  @Test
  void anotherProtocolIsReadWithWhatItSaysBesides() {
    String later = NAMESPACE.encode().replace("protocol=1", "protocol=2") + "more=x=y\nand\n";

    assertThat(NamespaceText.parse(later).settings().protocol()).isEqualTo(2);
    assertThat(NamespaceText.lines(later)).containsEntry("more", "x=y").doesNotContainKey("and");
  }

  @ParameterizedTest
  @ValueSource(strings = {"protocol=1", "partitions=3", "maxTtl=", "maxClockStep=", "clockMicros="})
  void whatLacksALineIsNone(String line) {
    String text = NAMESPACE.encode().replace(line, "x=");

    assertThatThrownBy(() -> NamespaceText.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
