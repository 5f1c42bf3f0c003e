package io.holdfast.redis.connection;

import static io.holdfast.redis.RedisNamespace.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.redis.connection.RedisClient.CallKind;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.tck.server.ServerProcess;
import io.holdfast.testing.redis.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.exceptions.JedisDataException;

/** The master has become a replica; its connections stay, and new ones lead to the new master. */
class RedisDemotionTest extends RedisServerTestBase {

  private void call(RedisClient client, CallKind kind) {
    assertThat(client.run(Script.SETTINGS, kind, 0, List.of(), soon())).isNull();
  }

  @ParameterizedTest
  @EnumSource(CallKind.class)
  void aReplicaThatDoesNotReachItsMasterIsLeft(CallKind kind) {
    try (RedisServer demoted = RedisServer.launch("--replica-serve-stale-data", "no");
        MovingProxy proxy = new MovingProxy(demoted.port());
        OwnClient client =
            new OwnClient(RedisUri.of(namespace.uri(proxy.port())), RestartGuard.OFF)) {
      // given
      call(client, kind);
      String nobody = Integer.toString(ServerProcess.freePort());
      demoted.command("REPLICAOF", "127.0.0.1", nobody);
      proxy.leadNextTo(server.port());

      // when
      assertThatThrownBy(() -> call(client, kind)).isInstanceOf(BackendFailure.class);

      // then
      call(client, kind);
    }
  }

  @Test
  void aServerThatLoadsTheDataOfItsMasterIsLeft() {
    assertThat(
            RedisErrors.isConnectionUnusable(
                new JedisDataException("LOADING Redis is loading the dataset in memory")))
        .isTrue();
  }
}
