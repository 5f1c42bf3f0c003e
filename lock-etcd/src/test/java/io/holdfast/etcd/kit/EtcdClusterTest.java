package io.holdfast.etcd.kit;

import io.holdfast.etcd.EtcdTckStore;
import io.holdfast.tck.TckBase;
import io.holdfast.tck.client.AcquireRules;
import io.holdfast.tck.process.ConcurrencyRules;
import io.holdfast.tck.process.DisturbedWorkRules;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.rules.failure.QuorumRules;
import io.holdfast.tck.rules.failure.RestartRules;
import io.holdfast.tck.rules.queue.LookRules;
import io.holdfast.tck.rules.queue.QueueRules;
import io.holdfast.tck.store.QuorumControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.etcd.EtcdCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * What a cluster of three could break although the whole kit has passed on one server: that what
 * one member was told others know, also those that lag ({@link LookRules}, {@link QueueRules} with
 * their hints, {@link AcquireRules}, {@link ConcurrencyRules}); that leases end under any leader
 * ({@link DisturbedWorkRules}); that all members may be restarted ({@link RestartRules}); that
 * nothing counts which only one member has ({@link QuorumRules}). Everything else is what one
 * transaction does, and that is the same wherever it is proposed.
 */
@Adapter("etcd")
@Tag("server")
class EtcdClusterTest extends TckBase
    implements QuorumRules,
        RestartRules,
        LookRules,
        QueueRules,
        AcquireRules,
        ConcurrencyRules,
        DisturbedWorkRules {

  private static EtcdCluster cluster;

  @BeforeAll
  static void startCluster() {
    cluster = EtcdCluster.launch(3);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @Override
  protected TckStore openStore() {
    return new ClusterStore();
  }

  private static final class ClusterStore extends EtcdTckStore implements QuorumControl {
    ClusterStore() {
      super(cluster.addresses(), cluster::restart);
    }

    @Override
    public void withoutQuorum(Runnable body) {
      cluster.withoutQuorum(body);
    }
  }
}
