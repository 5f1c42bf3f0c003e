package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

  /** In the words of Redis 6. The script may have done something before, where it may. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERR Error running script (call to f_12): @user_script:3: @user_script: 3: The user executing the script can't run this command or subcommand ",
        "ERR Error running script (call to f_12): @user_script:3: @user_script: 3: The user executing the script can't access at least one of the keys mentioned in the command arguments "
      })
  void whatAScriptMayNotDoIsTheUsersToMend(String message) {
    JedisDataException refusal = new JedisDataException(message);

    RuntimeException failure = RedisErrors.failure("server", refusal, Effect.UNKNOWN);

    assertThat(RedisErrors.lackOfPermission("server", refusal)).isPresent();
    assertThat(failure)
        .isInstanceOfSatisfying(
            BackendFailure.class, known -> assertThat(known.effect()).isEqualTo(Effect.UNKNOWN))
        .hasMessageContainingAll("server", "lacks a permission", "ACL")
        .hasCauseInstanceOf(BackendUnusableException.class);
  }
}
