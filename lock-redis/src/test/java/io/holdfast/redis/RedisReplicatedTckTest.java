package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.server.RedisServer;
import io.holdfast.tck.store.QuorumControl;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The kit with {@code waitReplicas=1}, on a server and its replica. Without the rules about
 * processes and networks, which take long: they are no others than on a server alone.
 */
@Tag("server")
class RedisReplicatedTckTest extends HoldfastTck {

  private static RedisServer server;
  private static RedisServer replica;

  @BeforeAll
  static void startServers() {
    // What the disk has does not matter here, and waiting for it takes half of the time.
    server = RedisServer.launch("--appendfsync", "everysec");
    replica = RedisServer.replicaOf(server);
  }

  @AfterAll
  static void stopServers() {
    replica.close();
    server.close();
  }

  @Override
  protected TckStore openStore() {
    return new ReplicatedStore(RedisNamespace.on(server));
  }

  private static final class ReplicatedStore extends RedisTckStore implements QuorumControl {

    ReplicatedStore(RedisNamespace namespace) {
      super(namespace);
    }

    @Override
    LockBackend connect(RedisSettings settings, BackendOptions options) {
      return namespace()
          .backendOfOldServer(namespace().uri() + "&waitReplicas=1", settings, options);
    }

    @Override
    public void withoutQuorum(Runnable body) {
      replica.pause();
      try {
        body.run();
      } finally {
        replica.resume();
      }
    }
  }
}
