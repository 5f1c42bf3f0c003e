package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Observed;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.connection.SharedConnections;
import io.holdfast.zookeeper.layout.Paths;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
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
    expired = new ZooKeeper(server.address(), 20_000, event -> {});
    await().atMost(TIMEOUT).until(() -> expired.getState().isConnected());
    expired.getTestable().injectSessionExpiration();
    await().atMost(TIMEOUT).until(() -> !expired.getState().isAlive());
  }

  @AfterEach
  void stop() throws Exception {
    expired.close();
    replacing.close();
    server.close();
  }

  private ZooKeeper present() {
    return notYetReplaced.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? expired : replacing;
  }

  private LockBackend backend(BackendOptions options) {
    Ensemble ensemble =
        new Ensemble(
            new SharedConnections(this::present, "the application's client"),
            "the application's client",
            ZooServer.TICK,
            Ids.OPEN_ACL_UNSAFE,
            () -> {});
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

  @Test
  void theFencingOfAnExpiredClientFailsAsOverAConnectionThatBroke() {
    ZookeeperFencing fencing = new ZookeeperFencing(expired);

    assertThatThrownBy(() -> fencing.isHeld(LOCK, FencingToken.of(1, 1), TIMEOUT))
        .isInstanceOf(BackendFailure.class);
  }
}
