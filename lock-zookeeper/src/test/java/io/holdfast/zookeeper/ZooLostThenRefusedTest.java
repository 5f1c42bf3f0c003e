package io.holdfast.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.LockName;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StepAction;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.ZookeeperFraming;
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.RequestNode;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A create is done, its answer is lost with the connection, and it is repeated over the next one.
 * If that is refused, the request stands in the queue all the same.
 */
@Tag("server")
class ZooLostThenRefusedTest {

  private static final LockName LOCK = new LockName("a");
  private static final String QUEUE = new Paths("/holdfast").queue(LOCK);

  /** How the first try of a grab goes. */
  enum First {
    /** It creates and reads. */
    JOINS(2),

    /** One transaction does all. */
    TAKES_IT_AGAIN(1);

    private final int steps;

    First(int steps) {
      this.steps = steps;
    }
  }

  private final StepAction at = new StepAction();
  private final AtomicBoolean cutsNextAnswer = new AtomicBoolean();
  private ZooServer server;
  private NetworkProxy network;
  private ZooKeeper others;
  private LockBackend backend;

  @BeforeEach
  void start() throws Exception {
    server = ZooServer.launch("enforceQuota=true");
    network = NetworkProxy.to(server.port(), ZookeeperFraming::new);
    network.decide(
        message ->
            message.isAnswer() && cutsNextAnswer.getAndSet(false) ? Delivery.CUT : Delivery.PASS);
    others = new ZooKeeper(server.address(), 60_000, event -> {});
    backend = connect();
  }

  private LockBackend connect() {
    return ZookeeperLockProvider.connect(
        "zookeeper://127.0.0.1:%d?tickTime=%d".formatted(network.port(), ZooServer.TICK.toMillis()),
        BackendOptions.DEFAULTS,
        at,
        StoreFixture.soon());
  }

  @AfterEach
  void stop() throws Exception {
    backend.close();
    others.close();
    network.close();
    server.close();
  }

  /** Does something to the store between both tries of a grab. */
  private void requireUnknown(First first, Runnable refuses) throws Exception {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    if (first == First.TAKES_IT_AGAIN) {
      client.release(client.hold(LOCK));
    } else {
      GivenBack.by(connect(), LOCK);
    }
    cutsNextAnswer.set(true);
    at.arm(first.steps + 1, refuses);

    BackendFailure failure =
        catchThrowableOfType(BackendFailure.class, () -> client.grab(client.waitingRequest(LOCK)));

    assertThat(at.disarm()).as("the grab was repeated").isTrue();
    assertThat(others.getChildren(QUEUE, false)).as("nodes of the request").hasSize(1);
    assertThat(failure.effect()).as("%s", failure).isEqualTo(Effect.UNKNOWN);
  }

  @ParameterizedTest
  @EnumSource
  void byAQuota(First first) throws Exception {
    requireUnknown(
        first,
        () -> {
          create("/zookeeper/quota/holdfast", "");
          create("/zookeeper/quota/holdfast/zookeeper_stats", "count=1000,bytes=-1");
          create("/zookeeper/quota/holdfast/zookeeper_limits", "count=1,bytes=-1;countHardLimit=1");
        });
  }

  @ParameterizedTest
  @EnumSource
  void byRightsThatWereTakenAway(First first) throws Exception {
    requireUnknown(
        first,
        () -> {
          try {
            others.setACL(QUEUE, Ids.READ_ACL_UNSAFE, -1);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  /** A server that was slow with the first try makes its node after all. */
  @Test
  void aNodeThatTheFirstTryMakesAfterTheGrantGoesWithTheRelease() throws Exception {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    client.release(client.hold(LOCK));
    cutsNextAnswer.set(true);
    Held held = client.hold(LOCK);
    assertThat(cutsNextAnswer).as("an answer is still to be cut").isFalse();

    others.create(
        RequestNode.wanted(QUEUE, held.request()),
        RequestData.of(held.request()).encode(),
        Ids.OPEN_ACL_UNSAFE,
        CreateMode.EPHEMERAL_SEQUENTIAL);
    client.release(held);

    client.requireFree(LOCK);
  }

  private void create(String path, String data) {
    try {
      others.create(path, data.getBytes(UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
