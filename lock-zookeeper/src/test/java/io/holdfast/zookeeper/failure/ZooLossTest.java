package io.holdfast.zookeeper.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.adapter.DataLossRules;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.server.StoreServer;
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.ZookeeperLockProvider;
import io.holdfast.zookeeper.layout.Paths;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** An ensemble that is made anew, and nodes that are deleted by hand. */
@Adapter("zookeeper")
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
public class ZooLossTest implements DataLossRules {

  private ZooServer server;
  private LockBackend backend;

  @BeforeEach
  void start() {
    server = ZooServer.launch();
    backend = connect();
  }

  @AfterEach
  void stop() {
    backend.close();
    server.close();
  }

  @Override
  public StoreServer server() {
    return server;
  }

  @Override
  public LockBackend backend() {
    return backend;
  }

  @Override
  public LockBackend connect() {
    return new ZookeeperLockProvider()
        .connect(server.uri() + "?tickTime=200", BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @Override
  public void deleteEverything() throws Exception {
    delete("/holdfast");
  }

  @Override
  public void deleteNamespace() throws Exception {
    delete("/holdfast/namespace");
  }

  private void delete(String path) throws Exception {
    try (ZooKeeper client = new ZooKeeper(server.address(), 20_000, event -> {})) {
      ZKUtil.deleteRecursive(client, path);
    }
  }

  /** As the servers do with every queue that has been empty for a while. */
  @Test
  void aQueueThatWasRemovedIsMadeAnewAndLowersNoToken() throws Exception {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    Held before = client.hold(LOCK);
    client.release(before);

    delete(new Paths("/holdfast").queue(LOCK));

    assertThat(client.inspect(LOCK)).isEmpty();
    Held after = client.hold(LOCK);
    assertThat(after.number()).isGreaterThan(before.number());
    assertThat(client.holding(after.request())).isEqualTo(after);
  }
}
