package io.holdfast.redis.kit;

import io.holdfast.redis.RedisNamespace;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.TckBase;
import io.holdfast.tck.client.AcquireRules;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.rules.call.CallRules;
import io.holdfast.tck.rules.queue.GrabRules;
import io.holdfast.tck.rules.queue.LookRules;
import io.holdfast.tck.rules.queue.OvertakeRules;
import io.holdfast.tck.rules.queue.QueueRules;
import io.holdfast.tck.rules.queue.ReleaseRules;
import io.holdfast.tck.rules.queue.RevokeRules;
import io.holdfast.tck.rules.record.NameRules;
import io.holdfast.tck.rules.record.NamespaceRules;
import io.holdfast.tck.rules.record.RecordRules;
import io.holdfast.tck.rules.session.SessionRules;
import io.holdfast.tck.rules.session.SweepRules;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.redis.RedisCluster;
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
public class RedisClusterTckTest extends TckBase
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

  private static RedisCluster cluster;

  @BeforeAll
  public static void startCluster() {
    cluster = RedisCluster.launch(0);
  }

  @AfterAll
  public static void stopCluster() {
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
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return namespace().backendOfOldServer(namespace().uri(), options, beforeStep);
    }
  }
}
