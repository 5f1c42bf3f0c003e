package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A proxy leads open connections to the promoted replica, unnoticed by their clients. */
@Tag("server")
class RedisProxyTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration MAX_TTL = Duration.ofSeconds(8);

  private RedisServer master;
  private RedisServer replica;
  private MovingProxy proxy;

  @BeforeEach
  void startServers() {
    master = RedisServer.launch("--repl-diskless-sync-delay", "0");
    replica = RedisServer.replicaOf(master);
    proxy = new MovingProxy(master.port());
  }

  @AfterEach
  void stopServers() {
    proxy.close();
    replica.close();
    master.close();
  }

  private LockClient client() {
    return Holdfast.builder()
        .maxTtl(MAX_TTL)
        .defaultTtl(MAX_TTL)
        .connect("redis://127.0.0.1:" + proxy.port());
  }

  /** The replica has both sessions, and not the last grant. */
  @Test
  void nobodyIsLetInBesideAHolderThatBelieves() {
    try (LockClient one = client();
        LockClient other = client()) {
      // given
      other.lock("warm").acquire(TIMEOUT).release();
      one.lock("warm").acquire(TIMEOUT).release();
      assertThat(master.command("WAIT", "1", "10000")).isEqualTo("1");
      assertThat(replica.command("REPLICAOF", "NO", "ONE")).isEqualTo("OK");
      Grant held = one.lock("a").acquire(TIMEOUT);

      // when
      proxy.moveTo(replica.port());
      Grant next = other.lock("a").acquire(TIMEOUT);

      // then
      assertThat(held.isHeld()).isFalse();
      assertThat(next.token().value()).isGreaterThan(held.token().value());
      next.check();
    }
  }
}
