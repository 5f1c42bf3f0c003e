package io.holdfast.zookeeper.queue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.zookeeper.server.ContainerManager;
import org.apache.zookeeper.server.DataNode;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.RequestProcessor;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * A server of ZooKeeper's own classes in this JVM, whose memory is within reach: what would take
 * years of creates is done by one call.
 */
public final class CountedServer implements AutoCloseable {

  private static final int TICK_MILLIS = 200;
  private static final int SESSION_MILLIS_MAX = 120_000;
  private static final int REAPED_A_MINUTE = 60_000;
  private static final byte[] LOCALHOST = {127, 0, 0, 1};

  private final Reached server;
  private final ServerCnxnFactory connections = new NIOServerCnxnFactory();
  private final ContainerManager reaper;

  public CountedServer(Path directory) throws IOException, InterruptedException {
    Path data = Files.createDirectories(directory);
    server = new Reached(data);
    server.setMaxSessionTimeout(SESSION_MILLIS_MAX);
    connections.configure(new InetSocketAddress(InetAddress.getByAddress(LOCALHOST), 0), 100);
    connections.startup(server);
    reaper = new ContainerManager(server.getZKDatabase(), server.first(), 1, REAPED_A_MINUTE);
  }

  private static final class Reached extends ZooKeeperServer {
    Reached(Path data) throws IOException {
      super(data.toFile(), data.toFile(), TICK_MILLIS);
    }

    RequestProcessor first() {
      return firstProcessor;
    }
  }

  public int port() {
    return connections.getLocalPort();
  }

  public Duration tick() {
    return Duration.ofMillis(TICK_MILLIS);
  }

  public String address() {
    return "127.0.0.1:" + port();
  }

  public String uri() {
    return "zookeeper://%s?tickTime=%d".formatted(address(), TICK_MILLIS);
  }

  public boolean has(String path) {
    return tree().getNode(path) != null;
  }

  private DataTree tree() {
    return server.getZKDatabase().getDataTree();
  }

  /** The next node that is counted below this one, if it is there, bears that number at least. */
  public void countOnFrom(String path, int next) {
    DataNode node = tree().getNode(path);
    if (node != null) {
      synchronized (node) {
        node.stat.setCversion(Math.max(next, node.stat.getCversion()));
      }
    }
  }

  /** Removes the queues that are empty, as servers do once a minute. */
  public void reap() throws InterruptedException {
    reaper.checkContainers();
  }

  /** Closes all connections, and grants less from now on. */
  public void grantAtMost(Duration timeout) {
    server.setMaxSessionTimeout((int) timeout.toMillis());
    connections.closeAll(ServerCnxn.DisconnectReason.SERVER_SHUTDOWN);
  }

  @Override
  public void close() {
    connections.shutdown();
  }
}
