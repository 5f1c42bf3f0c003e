package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.RequestNode;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A queue whose names do not fit into an answer: the client library breaks the connection off, and
 * with it all other locks of the session.
 */
@Tag("server")
class ZooLongQueueTest {

  private static final LockName LOCK = new LockName("a");
  private static final String QUEUE = new Paths("/holdfast").queue(LOCK);

  /** Of 71 bytes each, which is more than a megabyte. */
  private static final int NODES = 15_000;

  @TempDir private Path directory;
  private CountedServer server;
  private ZooKeeper others;
  private ZooRequests requests;
  private LockBackend backend;

  @BeforeEach
  void start() throws Exception {
    server = new CountedServer(directory.resolve("data"));
    others = new ZooKeeper(server.address(), 60_000, event -> {});
    requests = new ZooRequests(server.port(), server.tick());
    backend =
        new ZookeeperLockProvider()
            .connect(requests.uri(), BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @AfterEach
  void stop() throws Exception {
    backend.close();
    others.close();
    requests.close();
    server.close();
  }

  /** It may take so long that what lives meanwhile has to be renewed. */
  private void join(int requests, SpiClient... living) throws InterruptedException {
    SessionId session = SessionId.fresh();
    Semaphore made = new Semaphore(0);
    for (int i = 0; i < requests; i++) {
      Request request =
          Request.of(
              LOCK, new RequestId(session, Long.MAX_VALUE - i), new ProcessIdentity("other:1"));
      others.create(
          RequestNode.wanted(QUEUE, request),
          RequestData.of(request).encode(),
          Ids.OPEN_ACL_UNSAFE,
          CreateMode.EPHEMERAL_SEQUENTIAL,
          (code, path, context, name) -> made.release(),
          null);
    }
    while (!made.tryAcquire(requests, 1, TimeUnit.SECONDS)) {
      for (SpiClient client : living) {
        client.renewed();
      }
    }
  }

  private int nodes() throws Exception {
    return others.exists(QUEUE, false).getNumChildren();
  }

  @Test
  void whoComesToAQueueThatCannotBeReadIsTurnedAwayAndLeavesNothing() throws Exception {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    client.release(client.hold(LOCK));
    join(NODES, client);

    Request request = client.waitingRequest(LOCK);
    for (int i = 0; i < 3; i++) {
      assertThat(client.grab(request)).isInstanceOf(Attempt.QueueFull.class);
      assertThat(nodes()).isEqualTo(NODES);
    }

    client.hold(new LockName("another"));
    client.renewed();
  }

  /** Whoever reads names pays for each who waits, and has more to lose than to learn. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 300, NODES})
  void aHolderGivesBackWithoutReadingNames(int behind) throws Exception {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    Held held = client.hold(LOCK);
    join(behind, client);
    requests.sinceLast();

    assertThat(client.release(held)).isEqualTo(Released.HANDED_ON);

    assertThat(requests.sinceLast()).doesNotContainKey("getChildren").containsEntry("delete", 1L);
    assertThat(nodes()).isEqualTo(behind);
    client.renewed();
  }

  /** Most who wait give up while the one directly before them is still there. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 300, NODES})
  void whoWaitsGivesUpWithoutReadingNames(int behind) throws Exception {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    client.hold(LOCK);
    SpiClient second = SpiClient.open(backend, StoreFixture.LONG);
    second.queue(LOCK);
    SpiClient third = SpiClient.open(backend, StoreFixture.LONG);
    Request waits = third.queue(LOCK);
    join(behind, client, second, third);
    requests.sinceLast();

    assertThat(third.release(waits)).isEqualTo(Released.WAS_WAITING);

    assertThat(requests.sinceLast()).doesNotContainKey("getChildren");
    assertThat(nodes()).isEqualTo(2 + behind);
    third.renewed();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 300, NODES})
  void whoWasHandedTheLockGivesItBackUnlookedWithoutReadingNames(int behind) throws Exception {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    Held held = client.hold(LOCK);
    SpiClient second = SpiClient.open(backend, StoreFixture.LONG);
    Request waits = second.queue(LOCK);
    join(behind, client, second);
    client.release(held);
    requests.sinceLast();

    assertThat(second.release(waits)).isEqualTo(behind == 0 ? Released.FREED : Released.HANDED_ON);

    assertThat(requests.sinceLast()).doesNotContainKey("getChildren");
    assertThat(nodes()).isEqualTo(behind);
  }

  @Test
  void whoIsInAQueueThatCannotBeReadStillLooks() throws Exception {
    SpiClient holder = SpiClient.open(backend, StoreFixture.LONG);
    Held held = holder.hold(LOCK);
    SpiClient second = SpiClient.open(backend, StoreFixture.LONG);
    Request waits = second.queue(LOCK);
    SpiClient third = SpiClient.open(backend, StoreFixture.LONG);
    Request last = third.queue(LOCK);
    join(NODES, holder, second, third);
    requests.sinceLast();

    assertThat(holder.holding(held.request())).isEqualTo(held);
    assertThat(second.standing(waits)).isInstanceOf(Standing.Waiting.class);
    assertThat(third.standing(last)).isInstanceOf(Standing.Waiting.class);
    assertThat(third.standing(third.waitingRequest(LOCK))).isInstanceOf(Standing.Absent.class);

    holder.release(held);
    assertThat(third.standing(last)).isInstanceOf(Standing.Waiting.class);
    Held next = second.holding(waits);
    assertThat(next.number()).isGreaterThan(held.number());
    assertThat(requests.sinceLast()).doesNotContainKey("getChildren");
    assertThat(second.release(next)).isEqualTo(Released.HANDED_ON);
    second.renewed();
  }

  /** A backend whose next attempt breaks off when its node was asked for, before it is answered. */
  private LockBackend breakingOff(AtomicInteger stepsLeft) {
    return ZookeeperLockProvider.connect(
        requests.uri(),
        BackendOptions.DEFAULTS,
        () -> {
          if (stepsLeft.getAndDecrement() == 0) {
            throw new BackendFailure(Effect.UNKNOWN, "broken off", null);
          }
        },
        StoreFixture.soon());
  }

  @Test
  void whoDoesNotKnowItsPlaceInAQueueThatCannotBeReadStillLeaves() throws Exception {
    AtomicInteger stepsLeft = new AtomicInteger(-1);
    try (LockBackend broken = breakingOff(stepsLeft)) {
      SpiClient client = SpiClient.open(broken, StoreFixture.LONG);
      client.release(client.hold(LOCK));
      Request request = client.waitingRequest(LOCK);
      stepsLeft.set(1);
      assertThatThrownBy(() -> client.grab(request)).isInstanceOf(BackendFailure.class);
      client.renewed();
      assertThat(nodes()).isOne();
      join(NODES, client);
      SpiClient other = SpiClient.open(backend, StoreFixture.LONG);

      assertThat(client.standing(request)).isInstanceOf(Standing.Waiting.class);
      assertThat(other.standing(other.waitingRequest(LOCK))).isInstanceOf(Standing.Absent.class);
      assertThatThrownBy(() -> other.inspect(LOCK)).hasMessageContaining("12000");
      assertThat(client.release(request)).isEqualTo(Released.WAS_WAITING);

      assertThat(nodes()).isEqualTo(NODES);
      assertThat(client.release(request)).isEqualTo(Released.NOTHING);
      client.renewed();
      other.renewed();
    }
  }

  /** The place that is remembered is not the only one then. */
  @Test
  void whoWasMadeTwiceLeavesNothing() throws Exception {
    AtomicInteger stepsLeft = new AtomicInteger(-1);
    try (LockBackend broken = breakingOff(stepsLeft)) {
      SpiClient client = SpiClient.open(broken, StoreFixture.LONG);
      Held held = client.hold(LOCK);
      stepsLeft.set(1);
      assertThatThrownBy(() -> client.grab(held.request())).isInstanceOf(BackendFailure.class);
      client.renewed();
      assertThat(nodes()).isEqualTo(2);

      assertThat(client.release(held)).isEqualTo(Released.FREED);

      assertThat(nodes()).isZero();
    }
  }
}
