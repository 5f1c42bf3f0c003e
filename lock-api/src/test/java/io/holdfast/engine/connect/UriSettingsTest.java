package io.holdfast.engine.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BadRequestException;
import io.holdfast.spi.BackendOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UriSettingsTest {

  @ParameterizedTest
  @CsvSource({
    "redis://h:1?maxWaiters=7, redis://h:1",
    "redis://h:1?maxWaiters=7&db=2, redis://h:1?db=2",
    "redis://h:1?db=2&maxWaiters=7, redis://h:1?db=2",
    "redis://h:1?db=2&MAXWAITERS=7&x=y, redis://h:1?db=2&x=y",
    "h2:/a;maxWaiters=7, h2:/a",
    "h2:/a;maxWaiters=7;B=1, h2:/a;B=1"
  })
  void theLimitIsTakenOutOfWhatTheAdapterSees(String uri, String rest) {
    UriSettings settings = UriSettings.of(uri, BackendOptions.DEFAULTS);
    assertThat(settings.uri()).isEqualTo(rest);
    assertThat(settings.options().maxWaiters()).hasValue(7);
  }

  @Test
  void aUriWithoutItStaysAsItIs() {
    UriSettings settings =
        UriSettings.of("redis://h:1/maxWaiters=7", BackendOptions.DEFAULTS.withMaxWaiters(3));
    assertThat(settings.uri()).isEqualTo("redis://h:1/maxWaiters=7");
    assertThat(settings.options().maxWaiters()).hasValue(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "many", "", "1e3", "9999999999"})
  void whatIsNoLimitIsRefused(String value) {
    assertThatThrownBy(
            () -> UriSettings.of("redis://h:1?maxWaiters=" + value, BackendOptions.DEFAULTS))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("maxWaiters");
  }

  @Test
  void twoLimitsAreRefused() {
    assertThatThrownBy(
            () -> UriSettings.of("redis://h:1?maxWaiters=1&maxWaiters=2", BackendOptions.DEFAULTS))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("twice");
  }
}
