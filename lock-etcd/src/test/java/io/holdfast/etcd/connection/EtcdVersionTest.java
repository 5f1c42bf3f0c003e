package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdVersionTest {

  private static EtcdVersion version(String text) {
    return EtcdVersion.parse(text).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.3.8", "3.3.27", "3.4.0", "3.4.23", "3.4.30", "3.5.0", "3.5.12"})
  void aVersionWithoutTheFixMayRevokeRenewedLeases(String text) {
    assertThat(version(text).revokesRenewedLeases()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.4.31", "3.4.45", "3.5.13", "3.5.33", "3.6.0", "3.10.1", "4.0.0"})
  void aVersionWithTheFixDoesNot(String text) {
    assertThat(version(text).revokesRenewedLeases()).isFalse();
  }

  @Test
  void aVersionBeforeItsReleaseIsReadLikeIt() {
    assertThat(version("3.6.0-rc.3")).isEqualTo(new EtcdVersion(3, 6, 0)).hasToString("3.6.0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3.5", "unknown", "3.5.x", "99999999999.1.1"})
  void whatIsNoVersionIsNotRead(String text) {
    assertThat(EtcdVersion.parse(text)).isEmpty();
  }
}
