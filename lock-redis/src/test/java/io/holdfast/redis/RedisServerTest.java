package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.testing.redis.RedisSentinel;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class RedisServerTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @Test
  void dataOutlivesARestartAndAKillButNotAnEmptyStart() {
    try (RedisServer server = RedisServer.launch("--databases", "3")) {
      server.command("SET", "x", "42");
      assertThat(server.command("CONFIG", "GET", "databases")).endsWith("3");

      server.restart();
      assertThat(server.command("GET", "x")).isEqualTo("42");

      server.kill();
      assertThat(server.command("GET", "x")).contains("refused");
      server.start();
      assertThat(server.command("GET", "x")).isEqualTo("42");

      server.restartEmpty();
      assertThat(server.command("GET", "x")).isEmpty();
    }
  }

  @Test
  void aRestoredServerLacksTheLastWrites() {
    try (RedisServer server = RedisServer.launch()) {
      server.command("SET", "x", "1");

      server.restoreWithout(() -> assertThat(server.command("SET", "x", "2")).isEqualTo("OK"));

      assertThat(server.command("GET", "x")).isEqualTo("1");
    }
  }

  @Test
  void aSentinelHasTheReplicaPromoted() {
    try (RedisServer master = RedisServer.launch();
        RedisServer replica = RedisServer.replicaOf(master);
        RedisSentinel sentinel = RedisSentinel.watching(master)) {
      master.kill();
      sentinel.noticeFailures();

      await()
          .atMost(TIMEOUT)
          .until(
              () ->
                  sentinel
                      .command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", RedisSentinel.MASTER)
                      .endsWith(Integer.toString(replica.port())));
    }
  }
}
