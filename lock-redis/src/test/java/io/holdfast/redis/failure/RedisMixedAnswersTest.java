package io.holdfast.redis.failure;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.SessionId;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Request.IfHeld;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.Protocol.Command;

/** A connection of the application's pool has an answer in it that somebody has not read. */
class RedisMixedAnswersTest extends RedisServerTestBase {

  private JedisPooled jedis;
  private LockBackend backend;

  @BeforeEach
  void connect() {
    ConnectionPoolConfig one = new ConnectionPoolConfig();
    one.setMaxTotal(1);
    jedis =
        new JedisPooled(
            one,
            new HostAndPort("127.0.0.1", server.port()),
            DefaultJedisClientConfig.builder().build());
    backend =
        namespace.backend(
            jedis, new BackendOptions(NamespaceWish.NONE, RestartGuard.OFF), () -> {});
  }

  @AfterEach
  void disconnect() {
    backend.close();
    jedis.close();
  }

  /** Asks without reading the answer. */
  private void leave(String script) {
    try (Connection borrowed = jedis.getPool().getResource()) {
      borrowed.sendCommand(Command.EVAL, script, "0");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "return {'granted', '1', '1', '0'}",
        "return {{'granted', '1', '1', '0'}}",
        "return 'PONG'",
        "return false",
        "return {}"
      })
  void theAnswerToAnotherRequestIsNotTakenForThatToAGrab(String script) {
    SessionId mine = session(backend);
    leave(script);

    assertThatThrownBy(() -> backend.grab(request(mine, "a", IfHeld.QUEUE), soon()))
        .isInstanceOfSatisfying(
            BackendFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN))
        .hasMessageContaining("another request");
  }

  @Test
  void itIsTheRightOneOverAnotherConnection() {
    SessionId mine = session(backend);
    leave("return 1");
    assertThatThrownBy(() -> backend.renew(mine, soon())).isInstanceOf(BackendFailure.class);

    jedis.getPool().clear();

    take(backend, request(mine, "b", IfHeld.QUEUE));
  }
}
