package io.holdfast.zookeeper.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure.Effect;
import org.apache.zookeeper.KeeperException.Code;
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
}
