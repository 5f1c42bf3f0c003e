package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ZookeeperErrorsTest {

  @ParameterizedTest
  @CsvSource({
    "SESSIONCLOSEDREQUIRESASLAUTH, another login",
    "EPHEMERALONLOCALSESSION, localSessionsEnabled=false",
    "NOAUTH, all rights",
    "UNIMPLEMENTED, 3.6"
  })
  void whatWillBeRefusedAgainIsNoMatterOfTheNetwork(Code code, String told) {
    assertThat(ZookeeperErrors.failure("here", code, Effect.UNKNOWN))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("here")
        .hasMessageContaining(code.toString())
        .hasMessageContaining(told);
  }

  /** Such as a client that may be read-only is connected to, while the majority is away. */
  @Test
  void aServerThatOnlyReadsIsNotToldAsABrokenConnection() {
    assertThat(ZookeeperErrors.failure("here", Code.NOTREADONLY, Effect.UNKNOWN))
        .isInstanceOfSatisfying(
            BackendFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE))
        .hasMessageContaining("here is connected to a server without a quorum")
        .hasMessageContaining("NOTREADONLY");
  }
}
