package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

class RedisErrorsTest {

  private final JedisConnectionException untrusted =
      new JedisConnectionException(
          new SSLHandshakeException("Received fatal alert: certificate_unknown"));

  /** With TLS 1.3 a server may refuse a client's certificate after the client's first request. */
  @Test
  void aScriptThatWasSentAndNotAnsweredMayHaveBeenDoneThoughTheConnectionIsUseless() {
    assertThat(RedisErrors.failure("server", untrusted, Effect.UNKNOWN))
        .isInstanceOfSatisfying(
            BackendFailure.class,
            failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN));
  }

  @Test
  void whereNothingWasSentItIsTheUsersToMend() {
    assertThat(RedisErrors.failure("server", untrusted, Effect.NONE))
        .isInstanceOf(BackendUnusableException.class);
  }

  @Test
  void whatTheServerRefusedWasNotDone() {
    JedisDataException refusal = new JedisDataException("NOAUTH Authentication required.");

    assertThat(RedisErrors.failure("server", refusal, Effect.UNKNOWN))
        .isInstanceOf(BackendUnusableException.class);
  }
}
