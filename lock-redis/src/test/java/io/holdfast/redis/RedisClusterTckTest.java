package io.holdfast.redis;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.TckBase;
import io.holdfast.tck.client.AcquireRules;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.rules.CallRules;
import io.holdfast.tck.rules.GrabRules;
import io.holdfast.tck.rules.LookRules;
import io.holdfast.tck.rules.NameRules;
import io.holdfast.tck.rules.NamespaceRules;
import io.holdfast.tck.rules.OvertakeRules;
import io.holdfast.tck.rules.QueueRules;
import io.holdfast.tck.rules.RecordRules;
import io.holdfast.tck.rules.ReleaseRules;
import io.holdfast.tck.rules.RevokeRules;
import io.holdfast.tck.rules.SessionRules;
import io.holdfast.tck.rules.SweepRules;
import io.holdfast.tck.server.RedisCluster;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * What a cluster of three masters could break, whose slots the namespaces of these tests are spread
 * over, although the whole kit has passed on one server: that each verb finds its partition ({@link
 * SessionRules} to {@link RevokeRules}); that what concerns all partitions finds all of them
 * ({@link RecordRules}, {@link NamespaceRules}, {@link SweepRules}), whatever the names are ({@link
 * NameRules}); calls and their ends ({@link CallRules}); hints ({@link AcquireRules}). The scripts
 * are the same, and a partition is on one server.
 */
@Adapter("redis")
@Tag("server")
@SharedServer(disturbedBy = {})
class RedisClusterTckTest extends TckBase
    implements SessionRules,
        GrabRules,
        QueueRules,
        OvertakeRules,
        ReleaseRules,
        LookRules,
        RevokeRules,
        RecordRules,
        NameRules,
        NamespaceRules,
        SweepRules,
        CallRules,
        AcquireRules {

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
