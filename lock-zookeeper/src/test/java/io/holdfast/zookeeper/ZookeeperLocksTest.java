package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.record.Liveness;
import io.holdfast.spi.BackendFactory;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.testing.zookeeper.ZooServer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Over an application's CuratorFramework: all sessions share its ZooKeeper session. */
@Tag("server")
class ZookeeperLocksTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(30);

  /** For tests that wait for the end of a session. */
  private static final Duration SHORT_SESSION_TIMEOUT = Duration.ofSeconds(6);

  private static final LockName LOCK = new LockName("a");

  private static ZooServer server;

  private final String path = "/curator/" + UUID.randomUUID();
  private CuratorFramework curator;

  @BeforeAll
  static void startServer() {
    server = ZooServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void start() throws Exception {
    start(SESSION_TIMEOUT);
  }

  private void startWithShortSession() throws Exception {
    curator.close();
    start(SHORT_SESSION_TIMEOUT);
  }

  private void start(Duration sessionTimeout) throws Exception {
    curator =
        CuratorFrameworkFactory.newClient(
            server.address(),
            (int) sessionTimeout.toMillis(),
            (int) SESSION_TIMEOUT.toMillis(),
            new RetryOneTime(100));
    curator.start();
    assertThat(curator.blockUntilConnected(60, TimeUnit.SECONDS)).isTrue();
  }

  @AfterEach
  void stop() {
    curator.close();
  }

  private BackendFactory factory() {
    return ZookeeperLocks.on(curator, path, ZooServer.TICK, Ids.OPEN_ACL_UNSAFE);
  }

  private LockBackend backend() {
    return factory().connect(BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  private LockClient client() {
    return Holdfast.builder().connect(factory());
  }

  private void expireSession() throws Exception {
    curator.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
  }

  @Test
  void theTtlFollowsFromWhatTheFrameworkWasGranted() throws Exception {
    startWithShortSession();
    try (LockBackend backend = backend()) {
      assertThat(backend.open(StoreFixture.spec(StoreFixture.LONG), StoreFixture.soon()).ttl())
          .isEqualTo(
              SHORT_SESSION_TIMEOUT
                  .multipliedBy(2)
                  .dividedBy(3)
                  .minus(ZooServer.TICK.multipliedBy(2)));
    }
  }

  /** The framework's session lives on, and would keep what was made. */
  @Test
  void anOpeningThatIsNotAnsweredLeavesNothing() throws Exception {
    try (NetworkProxy proxy = NetworkProxy.to(server.port(), Framing::none);
        CuratorFramework behind =
            CuratorFrameworkFactory.newClient(
                "127.0.0.1:" + proxy.port(),
                (int) SHORT_SESSION_TIMEOUT.toMillis(),
                (int) SESSION_TIMEOUT.toMillis(),
                new RetryOneTime(100))) {
      behind.start();
      BackendFactory factory = ZookeeperLocks.on(behind, path, ZooServer.TICK, Ids.OPEN_ACL_UNSAFE);
      try (LockBackend backend = factory.connect(BackendOptions.DEFAULTS, StoreFixture.soon())) {
        backend.open(StoreFixture.spec(StoreFixture.LONG), StoreFixture.soon());
        assertThat(sessions()).isOne();
        proxy.delay(Duration.ofSeconds(1));

        await()
            .atMost(TIMEOUT)
            .until(
                () -> {
                  assertThatThrownBy(
                          () ->
                              backend.open(
                                  StoreFixture.spec(StoreFixture.LONG),
                                  Deadline.in(Duration.ofMillis(3_500))))
                      .isInstanceOf(BackendFailure.class);
                  return sessions() > 1;
                });
        proxy.delay(Duration.ZERO);

        await().atMost(TIMEOUT).until(() -> sessions() == 0);
      }
    }
  }

  private int sessions() throws Exception {
    return curator.getChildren().forPath(path + "/sessions").size();
  }

  @Test
  void clientsOverOneFrameworkAreTwo() {
    try (LockClient one = client();
        LockClient other = client()) {
      Grant held = one.lock("a").acquire(TIMEOUT);
      assertThat(other.lock("a").tryAcquire()).isEmpty();
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("a").acquire(TIMEOUT));
      await().atMost(TIMEOUT).until(() -> one.find("a").orElseThrow().waiters().size() == 1);

      held.close();

      assertThat(waits.join().token()).isGreaterThan(held.token());
    }
  }

  @Test
  void whoClosesItsClientHoldsNothingAndTheFrameworkGoesOn() throws Exception {
    LockClient client = client();
    client.lock("a").acquire(TIMEOUT);

    client.close();

    assertThat(curator.checkExists().forPath(path)).isNotNull();
    try (LockClient other = client()) {
      assertThat(other.lock("a").acquire(TIMEOUT).isHeld()).isTrue();
    }
  }

  /** Whatever the framework tells of its new session, the grant was the old one's. */
  @Test
  void aGrantIsLostWithTheFrameworksSessionAndTheNextOneIsAnother() throws Exception {
    startWithShortSession();
    try (LockClient client = client()) {
      Grant held = client.lock("a").acquire(TIMEOUT);

      expireSession();

      await().atMost(TIMEOUT).until(() -> !held.isHeld());
      try (Grant next = client.lock("a").acquire(TIMEOUT)) {
        assertThat(next.token()).isGreaterThan(held.token());
      }
    }
  }

  @Test
  void aSessionIsOverWhenTheFrameworkHasAnother() throws Exception {
    startWithShortSession();
    try (LockBackend backend = backend()) {
      SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
      client.hold(LOCK);
      expireSession();

      await()
          .atMost(TIMEOUT)
          .ignoreExceptions()
          .until(() -> client.renew() instanceof Renewed.Over);

      // Its node is there until the servers have ended the framework's session of before.
      await()
          .atMost(TIMEOUT)
          .ignoreExceptions()
          .until(() -> client.grab(client.request(LOCK)) instanceof Attempt.SessionOver);
    }
  }

  /** ZooKeeper keeps its requests, since the framework's session lives. */
  @Test
  void whatASessionThatIsOverHasLeftBehindIsOvertaken() throws Exception {
    try (LockBackend backend = backend()) {
      SpiClient dead = SpiClient.open(backend, StoreFixture.LONG);
      Held held = dead.hold(LOCK);
      SpiClient waiter = SpiClient.open(backend, StoreFixture.LONG);
      Request waits = waiter.queue(LOCK);
      curator.delete().forPath(path + "/sessions/" + dead.session());

      assertThat(dead.renew()).isEqualTo(new Renewed.Over());
      assertThat(waiter.holder(LOCK).liveness()).isEqualTo(Liveness.ENDED);
      assertThat(waiter.waiting(waits).obstacles()).hasSize(1);
      assertThat(waiter.overtake(waits, held.observed())).isInstanceOf(Attempt.Granted.class);
      assertThat(waiter.holding(waits).number()).isGreaterThan(held.number());
    }
  }

  @Test
  void aSessionThatNobodyRenewsIsEndedAlthoughTheFrameworkLives() throws Exception {
    startWithShortSession();
    try (LockBackend backend = backend();
        LockClient client = client()) {
      SpiClient abandoned = SpiClient.open(backend, StoreFixture.LONG);
      Held held = abandoned.hold(LOCK);

      try (Grant next = client.lock(LOCK.value()).acquire(TIMEOUT)) {
        assertThat(next.token().number()).isGreaterThan(held.number());
      }
      assertThat(abandoned.renew()).isEqualTo(new Renewed.Over());
    }
  }

  @Test
  void whatAnEndedSessionHeldIsFreeAtOnce() {
    try (LockBackend backend = backend()) {
      SpiClient holder = SpiClient.open(backend, StoreFixture.LONG);
      holder.hold(LOCK);

      holder.end(EndIf.CLOSED);

      assertThat(SpiClient.open(backend, StoreFixture.LONG).isFree(LOCK)).isTrue();
    }
  }

  /** The framework's session keeps the other nodes, too. */
  @Test
  void whatAnEndedSessionHeldWithALockDelayIsLeft() {
    try (LockBackend backend = backend()) {
      SpiClient holder = SpiClient.open(backend, StoreFixture.LONG);
      Held held = holder.hold(holder.request(LOCK).lockDelay(TIMEOUT));
      LockName without = new LockName("without");
      holder.hold(without);

      holder.end(EndIf.CLOSED);

      SpiClient other = SpiClient.open(backend, StoreFixture.LONG);
      assertThat(other.isFree(without)).isTrue();
      assertThat(other.overtake(other.request(LOCK), held.observed()))
          .isInstanceOf(Attempt.Refused.class);
      assertThat(other.refused(LOCK).liveness()).isEqualTo(Liveness.STAYING);
    }
  }
}
