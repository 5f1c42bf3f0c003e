package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.connection.ApplicationClient;
import io.holdfast.redis.connection.OwnClient;
import io.holdfast.redis.connection.RedisClient;
import io.holdfast.redis.connection.RedisUri;
import io.holdfast.redis.script.KeyNames;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** The server refuses something that a subscription needs. */
class RedisRefusedHintsTest extends RedisServerTestBase {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(500);

  @BeforeEach
  void makeUser() {
    server.command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all");
  }

  @AfterEach
  void deleteUser() {
    server.command("ACL", "DELUSER", "app");
  }

  private HostAndPort address() {
    return new HostAndPort("127.0.0.1", server.port());
  }

  private static JedisClientConfig login() {
    return DefaultJedisClientConfig.builder().user("app").password("pw").build();
  }

  private ApplicationClient over(UnifiedJedis jedis) {
    return new ApplicationClient(jedis, new KeyNames(namespace.prefix()));
  }

  private byte[] channel() {
    return (namespace.prefix() + ":hints").getBytes(UTF_8);
  }

  /** As if the accounts were replaced, or were on another server by now. */
  private void logsInAgain(RedisClient redis) throws Exception {
    try (RedisHints hints = new RedisHints(redis, channel())) {
      server.command("ACL", "SETUSER", "app", "off");
      assertThatThrownBy(() -> hints.listen(SessionId.fresh(), name -> {}, Deadline.in(SHORT)))
          .isInstanceOf(BackendFailure.class);

      server.command("ACL", "SETUSER", "app", "on");
      hints.listen(SessionId.fresh(), name -> {}, soon()).close();
    }
  }

  @Test
  void aLoginThatIsRefusedForAWhile() throws Exception {
    String uri = namespace.uri().replace("redis://", "redis://app:pw@");
    try (OwnClient redis = new OwnClient(RedisUri.of(uri), RestartGuard.OFF)) {
      logsInAgain(redis);
    }
  }

  @Test
  void aLoginOfAPoolOfTheApplication() throws Exception {
    try (JedisPooled jedis = new JedisPooled(address(), login())) {
      logsInAgain(over(jedis));
    }
  }

  @Test
  void aLoginOfAClientThatDoesNotShowItsConnections() throws Exception {
    try (UnifiedJedis jedis = new UnifiedJedis(new PooledConnectionProvider(address(), login()))) {
      logsInAgain(over(jedis));
    }
  }

  /** Closing the backend must not break what the application uses by then. */
  @Test
  void aConnectionThatMayNotSubscribeIsTheApplicationsAgain() {
    server.command("ACL", "SETUSER", "app", "-subscribe");
    try (JedisPooled jedis = new JedisPooled(poolOf(1), address(), login());
        RedisHints hints = new RedisHints(over(jedis), channel())) {
      assertThatThrownBy(() -> hints.listen(SessionId.fresh(), name -> {}, soon()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("subscribe");

      try (Connection borrowed = jedis.getPool().getResource()) {
        hints.close();

        assertThat(borrowed.isBroken()).isFalse();
        borrowed.sendCommand(Command.ACL, "WHOAMI");
        assertThat(borrowed.getBulkReply()).isEqualTo("app");
      }
    }
  }

  /** Whoever borrowed it would be sent hints; the next is this client itself. */
  @Test
  void aConnectionThatIsStillSubscribedIsNotGivenBack() {
    SessionId session = SessionId.fresh();
    FailingListener listener = new FailingListener();
    try (JedisPooled jedis = new JedisPooled(poolOf(2), address(), login());
        RedisHints hints = new RedisHints(over(jedis), channel())) {
      AutoCloseable before = hints.listen(session, listener, soon());
      server.command("PUBLISH", new String(channel(), UTF_8), session.value() + "a");
      await().atMost(LONG).until(listener.ended::get);

      AutoCloseable after = hints.listen(session, name -> {}, soon());

      assertThat(after).isNotSameAs(before);
      assertThat(jedis.getPool().getDestroyedCount()).isEqualTo(1);
    }
  }

  private static ConnectionPoolConfig poolOf(int connections) {
    ConnectionPoolConfig config = new ConnectionPoolConfig();
    config.setMaxTotal(connections);
    return config;
  }
}
