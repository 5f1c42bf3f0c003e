package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Renewed;
import io.holdfast.tck.rules.Bench;
import io.holdfast.tck.rules.Held;
import io.holdfast.tck.rules.SpiClient;
import io.holdfast.tck.server.ZooServer;
import java.time.Duration;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An ensemble that is made anew, and nodes that are deleted by hand. */
@Tag("server")
class ZooLossTest {

  private static final LockName LOCK = new LockName("a");

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

  private LockBackend connect() {
    return new ZookeeperLockProvider()
        .connect(server.uri() + "?tickTime=200", BackendOptions.DEFAULTS, Bench.soon());
  }

  private void delete(String path) throws Exception {
    try (ZooKeeper client = new ZooKeeper(server.address(), 20_000, event -> {})) {
      ZKUtil.deleteRecursive(client, path);
    }
  }

  /** Its transactions begin at 1 again, and the sessions of before are not those of now. */
  @Test
  void anEnsembleMadeAnewGivesGreaterTokensAndKnowsNobody() {
    SpiClient before = SpiClient.open(backend, Bench.LONG);
    for (int i = 0; i < 100; i++) {
      before.release(before.hold(LOCK));
    }
    Held held = before.hold(LOCK);

    server.restartEmpty();

    try (LockBackend after = connect()) {
      assertThat(before.on(after).renew()).isEqualTo(new Renewed.Over());
      assertThat(before.on(after).grab(before.patient(LOCK))).isEqualTo(new Attempt.SessionOver());
      assertThat(SpiClient.open(after, Bench.LONG).hold(LOCK).number())
          .isGreaterThan(held.number());
    }
  }

  @Test
  void aClientThatWasConnectedGoesOnInAnEnsembleMadeAnew() {
    SpiClient before = SpiClient.open(backend, Bench.LONG);
    Held held = before.hold(LOCK);
    server.restartEmpty();
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() -> before.renew() instanceof Renewed.Over);

    SpiClient after = SpiClient.open(backend, Bench.LONG);

    assertThat(after.hold(LOCK).number()).isGreaterThan(held.number());
  }

  @Test
  void deletedNodesEndEverySessionAndLowerNoToken() throws Exception {
    SpiClient before = SpiClient.open(backend, Bench.LONG);
    Held held = before.hold(LOCK);

    delete("/holdfast");

    assertThat(before.renew()).isEqualTo(new Renewed.Over());
    SpiClient after = SpiClient.open(backend, Bench.LONG);
    assertThat(after.hold(LOCK).number()).isGreaterThan(held.number());
  }

  /** Only the base is gone: what goes on without it must not mix up two. */
  @Test
  void aDeletedNamespaceIsMadeAnewWithAGreaterBase() throws Exception {
    SpiClient before = SpiClient.open(backend, Bench.LONG);
    Held held = before.hold(LOCK);
    before.release(held);

    delete("/holdfast/namespace");

    assertThat(before.grab(before.patient(LOCK))).isEqualTo(new Attempt.SessionOver());
    SpiClient after = SpiClient.open(backend, Bench.LONG);
    assertThat(after.hold(LOCK).number()).isGreaterThan(held.number());
  }

  /** As the servers do with every queue that has been empty for a while. */
  @Test
  void aQueueThatWasRemovedIsMadeAnewAndLowersNoToken() throws Exception {
    SpiClient client = SpiClient.open(backend, Bench.LONG);
    Held before = client.hold(LOCK);
    client.release(before);

    delete(new Paths("/holdfast").queue(LOCK));

    assertThat(client.inspect(LOCK)).isEmpty();
    Held after = client.hold(LOCK);
    assertThat(after.number()).isGreaterThan(before.number());
    assertThat(client.holding(after.request())).isEqualTo(after);
  }
}
