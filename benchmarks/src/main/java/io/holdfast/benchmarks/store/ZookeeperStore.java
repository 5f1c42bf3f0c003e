package io.holdfast.benchmarks.store;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.limit.ZookeeperLimit;
import io.holdfast.benchmarks.peer.ZookeeperPeers;
import io.holdfast.testing.zookeeper.ZooServer;
import java.util.List;
import org.apache.zookeeper.Version;

/** A ZooKeeper server that is alone, and writes its log without waiting for its disk. */
final class ZookeeperStore implements BenchmarkStore {

  private final ZooServer server = ZooServer.launchForLong("tickTime=2000");

  private ZookeeperStore() {}

  static BenchmarkStore start() {
    return new ZookeeperStore();
  }

  @Override
  public String uri() {
    return server.uri();
  }

  @Override
  public String earlierUri() {
    return uri() + "/earlier";
  }

  @Override
  public String description() {
    return "ZooKeeper %s, one server, forceSync no, else its defaults"
        .formatted(Version.getVersion());
  }

  @Override
  public List<Contender> contenders() {
    return Contenders.of(
        new ZookeeperLimit(server.address()), uri(), ZookeeperPeers.all(server.address()));
  }

  @Override
  public void close() {
    server.close();
  }
}
