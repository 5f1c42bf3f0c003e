package io.holdfast.redis.connection;

import static io.holdfast.redis.RedisNamespace.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.redis.Requests;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** What client and server tell each other about a new connection. */
class RedisGreetingTest extends RedisServerTestBase {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String DENIED = "DENIED Redis is running in protected mode";

  @Test
  void aServerThatRefusesConnectionsOfOtherMachinesIsQuoted() {
    try (FakeServer denying = FakeServer.turningAway(DENIED)) {
      assertThatThrownBy(() -> connect(denying.uri()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContainingAll(denying.uri(), DENIED, "password");
    }
  }

  @Test
  void aSentinelThatRefusesConnectionsOfOtherMachinesIsQuoted() {
    try (FakeServer denying = FakeServer.turningAway(DENIED)) {
      assertThatThrownBy(() -> connect("redis-sentinel://" + denying.address() + "/main"))
          .isInstanceOf(BackendFailure.class)
          .hasMessageContaining(DENIED);
    }
  }

  @Test
  void aServerThatHasTooManyClientsIsQuoted() {
    try (RedisServer crowded = RedisServer.launch("--maxclients", "1");
        Jedis only = new Jedis("127.0.0.1", crowded.port())) {
      await().atMost(TIMEOUT).ignoreExceptions().until(only::ping, "PONG"::equals);

      assertThatThrownBy(() -> connect(crowded.uri()))
          .isInstanceOf(BackendFailure.class)
          .hasMessageContaining("max number of clients");
    }
  }

  @Test
  void allConnectionsHaveAName() throws Exception {
    try (LockBackend backend = connect(namespace.uri());
        AutoCloseable listening = backend.listen(Requests.session(backend), name -> {}, soon())) {
      assertThat(listening).isNotNull();
      assertThat(server.command("CLIENT", "LIST").lines())
          .filteredOn(line -> !line.contains("cmd=client"))
          .hasSizeGreaterThan(1)
          .allMatch(line -> line.contains(" name=holdfast "));
    }
  }

  @Test
  void aServerThatRefusesTheNameIsUsed() {
    try (FakeServer strict =
            FakeServer.answering(
                    "*5", "$5", "7.0.0", "$6", "master", "$10", "noeviction", "$1", "0", "$1", "1")
                .refusing("CLIENT", "NOPERM this user has no permissions to run 'client|setname'");
        ServerConnection connection =
            new Connector(RedisUri.of(strict.uri()), Script.ATTACH, RestartGuard.ON)
                .open(0, 0, soon())) {
      assertThat(connection.hasSent()).isTrue();
    }
  }
}
