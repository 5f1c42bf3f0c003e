package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.server.RedisCluster;
import io.holdfast.tck.store.TckStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * The kit on a cluster of three masters, whose slots the namespaces of its tests are spread over.
 * Without the rules about processes and networks, which take long: a partition is on one server.
 */
@Tag("server")
class RedisClusterTckTest extends HoldfastTck {

  /** No test is about a node that is silent. */
  private static final Duration NODE_TIMEOUT = Duration.ofMinutes(1);

  private static RedisCluster cluster;

  @BeforeAll
  static void startCluster() {
    cluster = RedisCluster.launch(0, NODE_TIMEOUT);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @Override
  protected TckStore openStore() {
    return new ClusterStore(RedisNamespace.on(cluster));
  }

  private static final class ClusterStore extends RedisTckStore {

    ClusterStore(RedisNamespace namespace) {
      super(namespace);
    }

    @Override
    LockBackend connect(RedisSettings settings, BackendOptions options) {
      return namespace().backendOfOldServer(settings, options);
    }
  }
}
