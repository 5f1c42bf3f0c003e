package io.holdfast.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "500ms, 500",
    "10s, 10000",
    "2m, 120000",
    "1h, 3600000",
    "1d, 86400000",
    "1h30m, 5400000",
    "0, 0",
    "0s, 0",
    "PT1.5S, 1500"
  })
  void durationsAreReadAsPeopleWriteThem(String text, long millis) {
    assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775807s", "99999999999d", "P36501D", "36500d1ms"})
  void whatIsLongerThanACenturyIsACentury(String text) {
    assertThat(Durations.parse(text)).isEqualTo(Duration.ofDays(36_500));
  }

  @Test
  void whatIsFartherBelowZeroThanCanBeCountedStaysBelowZero() {
    assertThat(Durations.parse("PT-9223372036854775807S")).isEqualTo(Duration.ofDays(-36_500));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10",
        "s",
        "-1s",
        "1.5s",
        "10 s",
        "1x",
        "1s2",
        "P",
        "99999999999999999999s",
        "9223372036854775807h",
        "forever"
      })
  void whatIsNotADurationIsRefused(String text) {
    assertThatThrownBy(() -> Durations.parse(text))
        .isInstanceOf(Durations.NotOneException.class)
        .hasMessageContaining("is not a duration");
  }

  @Test
  void durationsAreShownInAUnitThatFits() {
    assertThat(Durations.show(Duration.ofMillis(340))).isEqualTo("340 ms");
    assertThat(Durations.show(Duration.ofMillis(14_250))).isEqualTo("14.2 s");
    assertThat(Durations.show(Duration.ofMinutes(3))).isEqualTo("3 min");
  }
}
