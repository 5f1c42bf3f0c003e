package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.testing.redis.RedisServer;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One of two Sentinels still names a server that is not the master any more. */
@Tag("server")
class RedisStaleSentinelTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  /** The stale one is asked while the other cannot be reached, and not for ever after. */
  @Test
  void aSentinelWhoseMasterIsOfNoUseIsAskedAfterTheOthers() throws IOException {
    try (RedisServer master = RedisServer.launch("--repl-diskless-sync-delay", "0");
        RedisServer replica = RedisServer.replicaOf(master.port());
        FakeSentinel good = new FakeSentinel(master);
        FakeSentinel stale = new FakeSentinel(replica);
        NetworkProxy link = NetworkProxy.to(good.port(), Framing::none);
        LockClient client =
            Holdfast.builder()
                .withoutRestartGuard()
                .connect(
                    "redis-sentinel://127.0.0.1:%d,127.0.0.1:%d/main"
                        .formatted(link.port(), stale.port()))) {
      client.lock("a").acquire(TIMEOUT).release();
      link.refuse();
      link.cut();
      // Each connection of the client that breaks is replaced by way of a Sentinel.
      await()
          .atMost(TIMEOUT)
          .until(
              () -> {
                master.command("CLIENT", "KILL", "TYPE", "normal");
                client.health();
                return stale.asked() > 0;
              });
      link.heal();

      try (Grant grant = client.lock("a").acquire(TIMEOUT)) {
        grant.check();
      }
      assertThat(good.asked()).isPositive();
    }
  }
}
