package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Watching;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StepAction;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.ZookeeperFraming;
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.queue.ZooRequests;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lock that its client was the last to give back is taken again by one transaction. */
@Tag("server")
class ZooRetakeTest {

  private static final LockName LOCK = new LockName("a");
  private static final Paths PATHS = new Paths("/holdfast");
  private static final Map<String, Long> AGAIN = Map.of("multi", 1L);

  private static ZooServer server;
  private static ZooRequests requests;
  private static ZooKeeper others;

  private LockBackend backend;
  private SpiClient mine;

  @BeforeAll
  static void start() throws Exception {
    server = ZooServer.launch();
    requests = new ZooRequests(server);
    others = new ZooKeeper(server.address(), 60_000, event -> {});
  }

  @AfterAll
  static void stop() throws Exception {
    others.close();
    requests.close();
    server.close();
  }

  @BeforeEach
  void open() throws Exception {
    if (others.exists("/holdfast", false) != null) {
      ZKUtil.deleteRecursive(others, "/holdfast");
    }
    backend = connect();
    mine = SpiClient.open(backend, StoreFixture.LONG);
    mine.release(mine.hold(LOCK));
    requests.sinceLast();
  }

  private LockBackend connect() {
    return new ZookeeperLockProvider()
        .connect(requests.uri(), BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @AfterEach
  void close() {
    backend.close();
  }

  private int nodes() throws Exception {
    return others.exists(PATHS.queue(LOCK), false).getNumChildren();
  }

  @Test
  void itsTokensRise() {
    long last = 0;
    for (int i = 0; i < 3; i++) {
      Held held = mine.hold(LOCK);
      assertThat(requests.sinceLast()).isEqualTo(AGAIN);
      assertThat(held.number()).isGreaterThan(last);
      assertThat(mine.holding(held.request())).isEqualTo(held);
      assertThat(mine.inspect(LOCK).orElseThrow().number()).isEqualTo(held.number());
      assertThat(mine.release(held)).isEqualTo(Released.FREED);
      last = held.number();
      requests.sinceLast();
    }
  }

  @Test
  void whatArrivesTwiceTakesItOnce() throws Exception {
    try (NetworkProxy network = NetworkProxy.to(server.port(), ZookeeperFraming::new);
        LockBackend doubled =
            new ZookeeperLockProvider()
                .connect(
                    "zookeeper://127.0.0.1:%d?tickTime=%d"
                        .formatted(network.port(), ZooServer.TICK.toMillis()),
                    BackendOptions.DEFAULTS,
                    StoreFixture.soon())) {
      SpiClient client = SpiClient.open(doubled, StoreFixture.LONG);
      client.release(client.hold(LOCK));
      network.decide(message -> message.isRequest() ? Delivery.DOUBLE : Delivery.PASS);

      Held held = client.hold(LOCK);

      assertThat(nodes()).isOne();
      assertThat(client.release(held)).isEqualTo(Released.FREED);
      assertThat(nodes()).isZero();
    }
  }

  @Test
  void whoHasComeMeanwhileIsAhead() {
    try (LockBackend elsewhere = connect()) {
      SpiClient other = SpiClient.open(elsewhere, StoreFixture.LONG);
      Held held = other.hold(LOCK);

      mine.refused(LOCK);
      Request waits = mine.queue(LOCK);

      mine.requireWaiting(waits, 1);
      assertThat(other.release(held)).isEqualTo(Released.HANDED_ON);
      assertThat(mine.release(mine.holding(waits))).isEqualTo(Released.FREED);
    }
  }

  @Test
  void whereAnotherHasGivenItBackSinceItIsTakenAsAnyOther() {
    try (LockBackend elsewhere = connect()) {
      SpiClient other = SpiClient.open(elsewhere, StoreFixture.LONG);
      Held before = other.hold(LOCK);
      other.release(before);
      requests.sinceLast();

      Held held = mine.hold(LOCK);

      assertThat(requests.sinceLast())
          .isEqualTo(Map.of("multi", 1L, "create", 1L, "multiRead", 1L));
      assertThat(held.number()).isGreaterThan(before.number());
      assertThat(mine.release(held)).isEqualTo(Released.FREED);
    }
  }

  /** Trying in vain costs a round trip. */
  @Test
  void whereOthersGiveItBackByTurnsItIsTriedSeldom() {
    try (LockBackend elsewhere = connect()) {
      SpiClient other = SpiClient.open(elsewhere, StoreFixture.LONG);
      int tried = 0;
      int rounds = 32;
      for (int i = 0; i < rounds; i++) {
        other.release(other.hold(LOCK));
        requests.sinceLast();
        Held held = mine.hold(LOCK);
        tried += requests.sinceLast().getOrDefault("multi", 0L).intValue();
        mine.release(held);
      }
      assertThat(tried).isBetween(1, 5);

      for (int i = 0; i < rounds; i++) {
        mine.release(mine.hold(LOCK));
      }
      requests.sinceLast();
      Held held = mine.hold(LOCK);
      assertThat(requests.sinceLast()).isEqualTo(AGAIN);
      mine.release(held);
    }
  }

  /** Nobody is counted who has left when it is known that the holder has. */
  @Test
  void whoGivesUpWhileTheHolderLeavesHandsNothingOn() {
    StepAction at = new StepAction();
    try (LockBackend stepped =
        ZookeeperLockProvider.connect(
            requests.uri(), BackendOptions.DEFAULTS, at, StoreFixture.soon())) {
      Held held = mine.hold(LOCK);
      SpiClient other = SpiClient.open(stepped, StoreFixture.LONG);
      Request waits = other.queue(LOCK);
      at.arm(
          2,
          () -> {
            await().atMost(Duration.ofSeconds(60)).until(() -> nodes() == 1);
            mine.release(held);
          });

      assertThat(other.release(waits)).isEqualTo(Released.FREED);

      assertThat(at.disarm()).isTrue();
    }
  }

  /** Each of them reads the lock. */
  @Test
  void whoWatchesHasOneHintOfEachChange() {
    AtomicInteger hints = new AtomicInteger();
    Watching watching = backend.watch(LOCK, hinted -> hints.incrementAndGet());
    watching.read(0, StoreFixture.soon());

    Held held = mine.hold(LOCK);
    requireOneMore(hints, 1, watching);
    mine.release(held);
    requireOneMore(hints, 2, watching);
    watching.close();
  }

  /** Its node comes between what the watch asks. */
  @Test
  void aQueueThatComesWhileItIsAskedForIsWatched() {
    StepAction at = new StepAction();
    try (LockBackend stepped =
        ZookeeperLockProvider.connect(
            requests.uri(), BackendOptions.DEFAULTS, at, StoreFixture.soon())) {
      LockName name = new LockName("comes");
      AtomicInteger hints = new AtomicInteger();
      Watching watching = stepped.watch(name, hinted -> hints.incrementAndGet());
      at.arm(2, () -> mine.hold(name));
      watching.read(0, StoreFixture.soon());
      assertThat(at.disarm()).isTrue();
      int before = hints.get();

      SpiClient.open(backend, StoreFixture.LONG).queue(name);

      // Before a session lapses: that would be a hint, too.
      await("a hint").atMost(Duration.ofSeconds(30)).until(() -> hints.get() > before);
      watching.close();
    }
  }

  /** What is told after a hint has come is told before a later read is answered. */
  private static void requireOneMore(AtomicInteger hints, int expected, Watching watching) {
    await("a hint").atMost(Duration.ofSeconds(60)).until(() -> hints.get() >= expected);
    watching.read(0, StoreFixture.soon());
    assertThat(hints).hasValue(expected);
  }

  @Test
  void aSessionThatIsOverTakesNothing() throws Exception {
    others.delete(PATHS.session(mine.session()), -1);

    assertThat(mine.grab(mine.request(LOCK))).isInstanceOf(Attempt.SessionOver.class);

    assertThat(nodes()).isZero();
  }

  @Test
  void aSessionOfAnotherNamespaceTakesNothing() throws Exception {
    byte[] settings = others.getData(PATHS.namespace(), false, null);
    ZKUtil.deleteRecursive(others, PATHS.namespace());
    SpiClient another = SpiClient.open(backend, StoreFixture.LONG);
    assertThat(others.getData(PATHS.namespace(), false, null)).isNotEqualTo(settings);

    assertThat(mine.grab(mine.request(LOCK))).isInstanceOf(Attempt.SessionOver.class);

    assertThat(nodes()).isZero();
    assertThat(another.release(another.hold(LOCK))).isEqualTo(Released.FREED);
  }

  /** As the servers do with a queue that has been empty for a while. */
  @Test
  void aQueueThatWasRemovedIsMadeAnew() throws Exception {
    others.delete(PATHS.queue(LOCK), -1);

    assertThat(mine.release(mine.hold(LOCK))).isEqualTo(Released.FREED);
  }
}
