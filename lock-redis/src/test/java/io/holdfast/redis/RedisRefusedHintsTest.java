package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.SessionId;
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
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisPooled;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** The server refuses something that a subscription needs. */
class RedisRefusedHintsTest extends RedisServerTestBase {

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
}
