package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.record.RequestId;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StepAction;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.connection.SessionTimes;
import io.holdfast.zookeeper.connection.SharedConnections;
import io.holdfast.zookeeper.layout.Paths;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * When the session of an application's client expires, that client answers every request so, until
 * the application has replaced it. Only what belongs to that session is over.
 */
@Tag("server")
class ZooExpiredClientTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final LockName LOCK = new LockName("a");
  private static final int ANSWERS = 5;

  private ZooServer server;
  private ZooKeeper expired;
  private ZooKeeper replacing;

  /** So often the application still tells of the client that has expired. */
  private final AtomicInteger notYetReplaced = new AtomicInteger();

  @BeforeEach
  void start() throws Exception {
    server = ZooServer.launch();
    replacing = new ZooKeeper(server.address(), 20_000, event -> {});
    expired = connected();
    expire(expired);
  }

  @AfterEach
  void stop() throws Exception {
    expired.close();
    replacing.close();
    server.close();
  }

  private ZooKeeper connected() throws IOException {
    ZooKeeper client = new ZooKeeper(server.address(), 20_000, event -> {});
    await().atMost(TIMEOUT).until(() -> client.getState().isConnected());
    return client;
  }

  private static void expire(ZooKeeper client) {
    client.getTestable().injectSessionExpiration();
    await().atMost(TIMEOUT).until(() -> !client.getState().isAlive());
  }

  private ZooKeeper present() {
    return notYetReplaced.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? expired : replacing;
  }

  private LockBackend backend(BackendOptions options) {
    return backend(this::present, options, () -> {});
  }

  private static LockBackend backend(
      Callable<ZooKeeper> client, BackendOptions options, Runnable beforeStep) {
    Ensemble ensemble =
        new Ensemble(
            new SharedConnections(client, "the application's client"),
            "the application's client",
            new SessionTimes(ZooServer.TICK),
            Ids.OPEN_ACL_UNSAFE,
            beforeStep);
    return new ZookeeperLockBackend(ensemble, new Paths("/holdfast"), options);
  }

  @Test
  void whatBelongsToNoSessionFailsAsOverAConnectionThatBroke() {
    try (LockBackend backend = backend(BackendOptions.DEFAULTS)) {
      Observed observed = new Observed(LOCK, 1, new RequestId(SessionId.fresh(), 1));
      Map<String, Runnable> verbs =
          Map.of(
              "open",
              () -> backend.open(StoreFixture.spec(), StoreFixture.soon()),
              "renew",
              () -> backend.renew(SessionId.fresh(), StoreFixture.soon()),
              "end",
              () -> backend.end(SessionId.fresh(), EndIf.LAPSED, StoreFixture.soon()),
              "revoke",
              () -> backend.revoke(observed, RevokeWhen.NOW, StoreFixture.soon()),
              "inspect",
              () -> backend.inspect(LOCK, StoreFixture.soon()),
              "list",
              () -> backend.list("", Optional.empty(), 1, StoreFixture.soon()),
              "sweep",
              () -> backend.sweep(StoreFixture.soon()),
              "watch",
              () -> backend.watch(LOCK, hinted -> {}).read(0, StoreFixture.soon()));
      verbs.forEach(
          (verb, call) -> {
            notYetReplaced.set(1);
            assertThatThrownBy(call::run).as(verb).isInstanceOf(BackendFailure.class);
          });
    }
  }

  @Test
  void anAcquireGoesOnUntilTheClientIsReplaced() {
    try (LockClient client = Holdfast.builder().connect((options, deadline) -> backend(options))) {
      notYetReplaced.set(ANSWERS);

      try (Grant grant = client.lock(LOCK.value()).acquire(TIMEOUT)) {
        assertThat(grant.isHeld()).isTrue();
        assertThat(notYetReplaced).hasValue(0);
      }
    }
  }

  /** The session ends between the delete and what is removed after it. */
  @Test
  void aReleaseThatWasDoneBeforeItsSessionWasOverDoesNotSayThatThereWasNothing() throws Exception {
    AtomicReference<ZooKeeper> application = new AtomicReference<>(connected());
    StepAction at = new StepAction();
    try (LockBackend backend = backend(application::get, BackendOptions.DEFAULTS, at);
        LockBackend other = backend(() -> replacing, BackendOptions.DEFAULTS, () -> {})) {
      SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
      Held held = client.hold(client.request(LOCK).lockDelay(StoreFixture.LONG));
      at.arm(
          2,
          () -> {
            await().atMost(TIMEOUT).until(() -> client.on(other).isFree(LOCK));
            expire(application.getAndSet(replacing));
          });

      assertThatThrownBy(() -> client.release(held))
          .isInstanceOfSatisfying(
              BackendFailure.class,
              failure -> assertThat(failure.effect()).isEqualTo(BackendFailure.Effect.UNKNOWN));

      assertThat(client.release(held)).isEqualTo(Released.NOTHING);
    }
  }

  @Test
  void theFencingOfAnExpiredClientFailsAsOverAConnectionThatBroke() {
    ZookeeperFencing fencing = new ZookeeperFencing(expired);

    assertThatThrownBy(
            () ->
                fencing.isHeld(
                    new Sequencer(LOCK, LockMode.EXCLUSIVE, FencingToken.of(1, 1)), TIMEOUT))
        .isInstanceOf(BackendUnreachableException.class);
  }
}
