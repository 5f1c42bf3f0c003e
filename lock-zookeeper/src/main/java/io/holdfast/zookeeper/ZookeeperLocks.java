package io.holdfast.zookeeper;

import io.holdfast.spi.BackendFactory;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.connection.SessionTimes;
import io.holdfast.zookeeper.connection.SharedConnections;
import io.holdfast.zookeeper.connection.ZookeeperUri;
import io.holdfast.zookeeper.layout.Paths;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.data.ACL;

/**
 * Locks over a CuratorFramework that an application already has. It must have been started, and is
 * never closed here. There is one TTL, which options do not change: two thirds of the session
 * timeout that it was granted, less two ticks of the servers. The application's own requests on the
 * same connection can delay a heartbeat.
 *
 * <pre>{@code
 * LockClient locks = Holdfast.builder().connect(ZookeeperLocks.on(curator));
 * }</pre>
 */
public final class ZookeeperLocks {

  private ZookeeperLocks() {}

  /**
   * Keeps the locks below {@code /holdfast}, with an ACL that is open to all, on servers with the
   * default tick of two seconds.
   */
  public static BackendFactory on(CuratorFramework curator) {
    return on(curator, ZookeeperUri.PATH_DEFAULT, ZookeeperUri.TICK_DEFAULT, Ids.OPEN_ACL_UNSAFE);
  }

  /**
   * Keeps the locks below a path.
   *
   * @param path as {@code /NODE/NODE…}, each of letters, digits and {@code ._-} characters; the
   *     framework's namespace is not put before it
   * @param tick the tick of the servers
   * @param rights the ACL of the nodes
   * @throws io.holdfast.error.BadRequestException if the path has other characters
   */
  public static BackendFactory on(
      CuratorFramework curator, String path, Duration tick, List<ACL> rights) {
    return on(curator, path, tick, rights, () -> {});
  }

  static BackendFactory on(
      CuratorFramework curator, String path, Duration tick, List<ACL> rights, Runnable beforeStep) {
    Paths paths = new Paths(path);
    String name = "zookeeper (CuratorFramework of the application)" + path;
    String chroot = chroot(curator);
    return (options, deadline) -> {
      Ensemble ensemble =
          new Ensemble(
              new SharedConnections(
                  () -> curator.getZookeeperClient().getZooKeeper(), () -> chroot, name),
              name,
              new SessionTimes(tick),
              List.copyOf(rights),
              beforeStep);
      return new ZookeeperLockBackend(ensemble, paths, options).opened(deadline);
    };
  }

  /**
   * Returns the chroot of the connection string that the framework was given. Curators before 5.6
   * leave it out of the string that they make of the ensemble's own configuration later.
   */
  private static String chroot(CuratorFramework curator) {
    String servers = curator.getZookeeperClient().getCurrentConnectionString();
    return Objects.requireNonNullElse(new ConnectStringParser(servers).getChrootPath(), "");
  }
}
