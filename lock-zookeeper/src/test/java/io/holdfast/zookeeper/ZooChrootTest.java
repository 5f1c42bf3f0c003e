package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFactory;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.RequestNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Over an application's CuratorFramework whose connection string ends with a chroot. */
@Tag("server")
class ZooChrootTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static final LockName LOCK = new LockName("a");
  private static final String QUEUE = new Paths("/shop").queue(LOCK);
  private static final int TOO_MANY = 12_500;
  private static final int SENT_AT_ONCE = 500;

  private static ZooServer server;

  @BeforeAll
  static void startServer() {
    server = ZooServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static CuratorFramework curator(String chroot) throws InterruptedException {
    int millis = (int) TIMEOUT.toMillis();
    CuratorFramework curator =
        CuratorFrameworkFactory.newClient(
            server.address() + chroot, millis, millis, new RetryOneTime(100));
    curator.start();
    assertThat(curator.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();
    return curator;
  }

  /** The client library takes it, and all its calls find nothing. */
  @Test
  void oneThatDoesNotExistIsSaid() throws Exception {
    try (CuratorFramework curator = curator("/missing");
        LockClient locks = Holdfast.builder().connect(locks(curator))) {
      assertThatThrownBy(() -> locks.lock("a").acquire(TIMEOUT))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("chroot");
    }
  }

  /** A queue that is too long to be read: what stands in it is asked of the servers otherwise. */
  @Test
  void whoDoesNotKnowItsPlaceInALongQueueFindsIt() throws Exception {
    AtomicInteger stepsLeft = new AtomicInteger(-1);
    try (CuratorFramework above = curator("")) {
      above.create().forPath("/app");
    }
    try (CuratorFramework curator = curator("/app");
        ZooKeeper others = new ZooKeeper(server.address() + "/app", 60_000, event -> {});
        LockBackend backend =
            ZookeeperLocks.on(
                    curator,
                    "/shop",
                    ZooServer.TICK,
                    Ids.OPEN_ACL_UNSAFE,
                    () -> {
                      if (stepsLeft.getAndDecrement() == 0) {
                        throw new BackendFailure(Effect.UNKNOWN, "broken off", null);
                      }
                    })
                .connect(BackendOptions.DEFAULTS, StoreFixture.soon())) {
      SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
      GivenBack.by(
          ZookeeperLocks.on(curator, "/shop", ZooServer.TICK, Ids.OPEN_ACL_UNSAFE, () -> {})
              .connect(BackendOptions.DEFAULTS, StoreFixture.soon()),
          LOCK);
      Request request = client.waitingRequest(LOCK);
      stepsLeft.set(1);
      assertThatThrownBy(() -> client.grab(request)).isInstanceOf(BackendFailure.class);
      client.renewed();
      join(others, TOO_MANY);

      assertThat(client.standing(request)).isInstanceOf(Standing.Waiting.class);
      assertThat(client.standing(client.waitingRequest(LOCK))).isInstanceOf(Standing.Absent.class);
      assertThat(client.release(request)).isEqualTo(Released.WAS_WAITING);

      assertThat(others.exists(QUEUE, false).getNumChildren()).isEqualTo(TOO_MANY);
    }
  }

  @Test
  void whoResumesASessionOverTheSameFrameworkFindsItsRequests() throws Exception {
    try (CuratorFramework above = curator("")) {
      above.create().forPath("/other");
    }
    try (CuratorFramework curator = curator("/other");
        LockBackend later = locks(curator).connect(BackendOptions.DEFAULTS, StoreFixture.soon())) {
      SpiClient orphan;
      Held held;
      try (LockBackend earlier =
          locks(curator).connect(BackendOptions.DEFAULTS, StoreFixture.soon())) {
        orphan = SpiClient.open(earlier, StoreFixture.LONG);
        held = orphan.hold(LOCK);
      }

      Resumed resumed =
          ((ResumableSessions) later).resume(orphan.session(), StoreFixture.soon()).orElseThrow();

      assertThat(resumed.requests()).containsExactly(held.request().key());
    }
  }

  private static BackendFactory locks(CuratorFramework curator) {
    return ZookeeperLocks.on(curator, "/shop", ZooServer.TICK, Ids.OPEN_ACL_UNSAFE);
  }

  private static void join(ZooKeeper client, int count) throws Exception {
    SessionId session = SessionId.fresh();
    for (int from = 0; from < count; from += SENT_AT_ONCE) {
      List<Op> ops = new ArrayList<>();
      for (int i = from; i < Math.min(count, from + SENT_AT_ONCE); i++) {
        Request request =
            Request.of(LOCK, new RequestId(session, i + 1), new ProcessIdentity("other:1"));
        ops.add(
            Op.create(
                RequestNode.wanted(QUEUE, request),
                RequestData.of(request).encode(),
                Ids.OPEN_ACL_UNSAFE,
                CreateMode.EPHEMERAL_SEQUENTIAL));
      }
      client.multi(ops);
    }
  }
}
