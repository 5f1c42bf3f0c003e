package io.holdfast.zookeeper;

import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.connection.Connector;
import io.holdfast.zookeeper.connection.OwnConnections;
import io.holdfast.zookeeper.connection.SessionTimes;
import io.holdfast.zookeeper.connection.ZookeeperUri;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.Retirements;
import java.util.List;
import org.apache.zookeeper.ZooDefs.Ids;

/**
 * Takes {@code zookeeper://HOST:PORT,HOST:PORT/PATH} and {@code zookeepers://…}: locks in a
 * ZooKeeper ensemble.
 */
public final class ZookeeperLockProvider implements LockProvider {

  /** Found by {@link java.util.ServiceLoader}. */
  public ZookeeperLockProvider() {}

  @Override
  public String name() {
    return "zookeeper";
  }

  @Override
  public List<String> uriForms() {
    return List.of("zookeeper://HOST:PORT,HOST:PORT/PATH", "zookeepers://HOST:PORT,HOST:PORT/PATH");
  }

  @Override
  public boolean accepts(String uri) {
    return ZookeeperUri.FORM.accepts(uri);
  }

  @Override
  public LockBackend connect(String uri, BackendOptions options, Deadline deadline) {
    return connect(uri, options, () -> {}, deadline);
  }

  @Override
  public Retirement retire(String uri, Deadline deadline) {
    ZookeeperUri parsed = ZookeeperUri.parse(uri);
    Ensemble ensemble = ensemble(parsed, () -> {});
    try {
      return ensemble.verb(
          deadline,
          new Retirements(new Paths(parsed.path()), parsed.describe(), times(parsed))::retire);
    } finally {
      ensemble.connections().close();
    }
  }

  private static SessionTimes times(ZookeeperUri parsed) {
    return new SessionTimes(parsed.tick());
  }

  private static Ensemble ensemble(ZookeeperUri parsed, Runnable beforeStep) {
    return new Ensemble(
        new OwnConnections(new Connector(parsed, parsed.describe())),
        parsed.describe(),
        times(parsed),
        parsed.login().isPresent() ? Ids.CREATOR_ALL_ACL : Ids.OPEN_ACL_UNSAFE,
        beforeStep);
  }

  static LockBackend connect(
      String uri, BackendOptions options, Runnable beforeStep, Deadline deadline) {
    ZookeeperUri parsed = ZookeeperUri.parse(uri);
    Paths paths = new Paths(parsed.path());
    Ensemble ensemble = ensemble(parsed, beforeStep);
    ZookeeperLockBackend backend = new ZookeeperLockBackend(ensemble, paths, options);
    try {
      return backend.opened(deadline);
    } catch (RuntimeException | Error e) {
      backend.close();
      throw e;
    }
  }
}
