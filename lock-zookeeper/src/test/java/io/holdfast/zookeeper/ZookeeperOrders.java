package io.holdfast.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.StaleTokenException;
import io.holdfast.tck.process.client.FencedResource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;

/** An application's node in the ensemble of its lock. Has the example of docs/fencing.md. */
final class ZookeeperOrders implements FencedResource {

  /** Longer than it is paused, also on a slow machine. */
  private static final int SESSION_MILLIS = 120_000;

  private final Duration timeout = Duration.ofSeconds(30);
  private final String node = "/application";
  private final String address;
  private final ZooKeeper client;
  private final ZookeeperFencing fencing;

  ZookeeperOrders(String address) throws IOException {
    this.address = address;
    this.client = new ZooKeeper(address, SESSION_MILLIS, event -> {});
    this.fencing = new ZookeeperFencing(client);
  }

  @Override
  public LockClient locks(Duration ttl) {
    return Holdfast.builder()
        .defaultTtl(ttl)
        .connect("zookeeper://%s?tickTime=200".formatted(address));
  }

  @Override
  public Writer writer(Grant grant) {
    Op held = fencing.isHeld(grant.sequencer(), timeout); // one read for each grant
    return state -> write(held, state.getBytes(UTF_8));
  }

  private void write(Op held, byte[] data) throws Exception {
    try {
      client.multi(List.of(held, Op.setData(node, data, -1)));
    } catch (KeeperException.NoNodeException | KeeperException.BadVersionException refused) {
      throw new StaleTokenException("The grant is not in force any more.");
    }
  }

  @Override
  public String read() throws Exception {
    return new String(client.getData(node, false, null), UTF_8);
  }

  @Override
  public void close() throws InterruptedException {
    client.close();
  }
}
