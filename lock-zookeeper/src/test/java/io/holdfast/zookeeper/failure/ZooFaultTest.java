package io.holdfast.zookeeper.failure;

import io.holdfast.spi.LockProvider;
import io.holdfast.tck.adapter.ClusterOutageRules;
import io.holdfast.tck.adapter.ReachableCluster;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.zookeeper.ZooEnsemble;
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.ZookeeperLockProvider;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Adapter("zookeeper")
@Tag("server")
public class ZooFaultTest implements ClusterOutageRules {

  private static ReachableCluster ensemble;

  private final String path = "/faults/" + UUID.randomUUID();

  @BeforeAll
  static void startEnsemble() {
    ensemble = new ReachableCluster(ZooEnsemble.launch(3));
  }

  @AfterAll
  static void stopEnsemble() {
    ensemble.close();
  }

  @Override
  public ReachableCluster cluster() {
    return ensemble;
  }

  @Override
  public LockProvider provider() {
    return new ZookeeperLockProvider();
  }

  @Override
  public String uri(String addresses) {
    return "zookeeper://%s%s?tickTime=%d".formatted(addresses, path, ZooServer.TICK.toMillis());
  }
}
