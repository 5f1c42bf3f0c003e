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

  /** In the words of Redis 6 and 7. Redis takes nothing back that the script did before. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERR Error running script (call to f_12): @user_script:3: WRONGTYPE Operation against a key holding the wrong kind of value",
        "WRONGTYPE Operation against a key holding the wrong kind of value script: 12, on @user_script:3.",
        "ERR user_script:3: WRONGTYPE This is not the record of a lock script: 12, on @user_script:3."
      })
  void aScriptThatFailsMayHaveDoneSomething(String message) {
    assertThat(RedisErrors.failure("server", new JedisDataException(message), Effect.UNKNOWN))
        .isInstanceOfSatisfying(
            BackendFailure.class, known -> assertThat(known.effect()).isEqualTo(Effect.UNKNOWN))
        .hasCauseInstanceOf(BackendUnusableException.class);
  }

  /** In the words of Redis 6 and 7, which refuse no later write of a script for these reasons. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERR Error running script (call to f_12): @user_script:3: @user_script: 3: -OOM command not allowed when used memory > 'maxmemory'. ",
        "OOM command not allowed when used memory > 'maxmemory'. script: 12, on @user_script:3.",
        "ERR Error running script (call to f_12): @user_script:3: @user_script: 3: -READONLY You can't write against a read only replica. ",
        "READONLY You can't write against a read only replica. script: 12, on @user_script:3.",
        "MISCONF Errors writing to the AOF file: No space left on device script: 12, on @user_script:3.",
        "NOREPLICAS Not enough good replicas to write. script: 12, on @user_script:3."
      })
  void aScriptWhoseFirstWriteIsRefusedHasDoneNothing(String message) {
    assertThat(RedisErrors.failure("server", new JedisDataException(message), Effect.UNKNOWN))
        .isInstanceOfSatisfying(
            BackendFailure.class, known -> assertThat(known.effect()).isEqualTo(Effect.NONE));
  }

  /** Else what asks for such a lock would be withdrawn again and again, for nothing. */
  @Test
  void aScriptWhoseLockIsNotOursHasDoneNothing() {
    assertThat(
            RedisErrors.failure(
                "server",
                new JedisDataException(
                    "ERR user_script:3: HOLDFASTFOREIGN WRONGTYPE Operation against a key script: 12, on @user_script:3."),
                Effect.UNKNOWN))
        .isInstanceOf(BackendUnusableException.class);
  }
}
