package io.holdfast.etcd.failure;

import io.holdfast.etcd.EtcdLockProvider;
import io.holdfast.spi.LockProvider;
import io.holdfast.tck.adapter.ClusterOutageRules;
import io.holdfast.tck.adapter.ReachableCluster;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.etcd.EtcdCluster;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Adapter("etcd")
@Tag("server")
public class EtcdFaultTest implements ClusterOutageRules {

  private static ReachableCluster cluster;

  private final String prefix = "/faults/" + UUID.randomUUID();

  @BeforeAll
  static void startCluster() {
    cluster = new ReachableCluster(EtcdCluster.launch(3));
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @Override
  public ReachableCluster cluster() {
    return cluster;
  }

  @Override
  public LockProvider provider() {
    return new EtcdLockProvider();
  }

  @Override
  public String uri(String addresses) {
    return "etcd://" + addresses + prefix;
  }
}
