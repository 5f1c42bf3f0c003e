package io.holdfast.benchmarks.limit;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * An ephemeral node that is made and deleted, over a connection for each thread.
 *
 * @param address the server, as {@code HOST:PORT}
 */
public record ZookeeperLimit(String address) implements Contender {

  private static final String PARENT = "/limit";
  private static final int SESSION_MILLIS = 15_000;
  private static final int ANY_VERSION = -1;

  @Override
  public String name() {
    return "create ephemeral, delete";
  }

  @Override
  public Role role() {
    return Role.LIMIT;
  }

  @Override
  public String settings() {
    return "ZooKeeper's own client, a session for each thread";
  }

  @Override
  public OpenContender open(int threads) throws Exception {
    ZooKeeper first = connect();
    try {
      first.create(PARENT, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    } catch (NodeExistsException before) {
      // A contender is opened once for each number of threads.
    } finally {
      first.close();
    }
    byte[] owner = "owner".getBytes(StandardCharsets.UTF_8);
    List<ZooKeeper> clients = new CopyOnWriteArrayList<>();
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) throws IOException {
        ZooKeeper client = connect();
        clients.add(client);
        String path = PARENT + "/" + lock;
        return () -> {
          client.create(path, owner, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
          client.delete(path, ANY_VERSION);
        };
      }

      @Override
      public void close() throws InterruptedException {
        for (ZooKeeper client : clients) {
          client.close();
        }
      }
    };
  }

  private ZooKeeper connect() throws IOException {
    return new ZooKeeper(address, SESSION_MILLIS, event -> {});
  }
}
