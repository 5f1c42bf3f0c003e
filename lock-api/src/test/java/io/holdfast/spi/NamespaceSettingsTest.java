package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NamespaceSettingsTest {

  private static NamespaceSettings ofVersion(int protocol) {
    return new NamespaceSettings(protocol, 1, Duration.ofSeconds(60), Duration.ofSeconds(1));
  }

  @Test
  void anOlderVersionIsRefusedWithTheCommandThatRetiresIt() {
    assertThatThrownBy(() -> ofVersion(1).requireReadable("the store", 2))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("protocol version 1")
        .hasMessageContaining("reads version 2")
        .hasMessageContaining("'holdfast retire'");
  }

  @Test
  void aNewerVersionIsNotToBeRetired() {
    assertThatThrownBy(() -> ofVersion(3).requireReadable("the store", 2))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("protocol version 3")
        .hasMessageNotContaining("retire");
    assertThatThrownBy(() -> NamespaceSettings.requireOld(3, 2, "the store"))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("the store")
        .hasMessageContaining("protocol version 3");
  }

  @Test
  void onlyAnOlderVersionIsRetired() {
    assertThatCode(() -> NamespaceSettings.requireOld(1, 2, "the store"))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> NamespaceSettings.requireOld(2, 2, "the store"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nothing to retire");
    assertThatThrownBy(() -> NamespaceSettings.requireOld(0, 2, "the store"))
        .isInstanceOf(BackendUnusableException.class);
  }
}
