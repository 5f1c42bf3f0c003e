package io.holdfast.etcd;

import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.server.EtcdCluster;
import io.holdfast.tck.store.QuorumControl;
import io.holdfast.tck.store.TckStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The whole kit on a cluster of three, each test under a prefix of its own. */
@Tag("server")
class EtcdClusterTckTest extends HoldfastTck {

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
