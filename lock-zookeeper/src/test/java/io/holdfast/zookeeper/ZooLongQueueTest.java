package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.zookeeper.queue.ZooQueueTestBase;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A queue whose names do not fit into an answer: the client library breaks the connection off, and
 * with it all other locks of the session.
 */
@Tag("server")
class ZooLongQueueTest extends ZooQueueTestBase {

  /** Of 71 bytes each, which is more than a megabyte. */
  private static final int NODES = 15_000;

  /** It may take so long that what lives meanwhile has to be renewed. */
  private void join(int count, SpiClient... living) throws InterruptedException {
    Semaphore made = new Semaphore(0);
    send(SessionId.fresh(), LockMode.EXCLUSIVE, count, node -> made.release());
    while (!made.tryAcquire(count, 1, TimeUnit.SECONDS)) {
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
    SpiClient client = client();
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
    SpiClient client = client();
    Held held = client.hold(LOCK);
    join(behind, client);
    requests.sinceLast();

    assertThat(client.release(held)).isEqualTo(Released.HANDED_ON);

    assertThat(requests.sinceLast()).doesNotContainKey("getChildren").containsEntry("multi", 1L);
    assertThat(nodes()).isEqualTo(behind);
    client.renewed();
  }

  /** Most who wait give up while the one directly before them is still there. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 300, NODES})
  void whoWaitsGivesUpWithoutReadingNames(int behind) throws Exception {
    SpiClient client = client();
    client.hold(LOCK);
    SpiClient second = client();
    second.queue(LOCK);
    SpiClient third = client();
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
    SpiClient client = client();
    Held held = client.hold(LOCK);
    SpiClient second = client();
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
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    SpiClient second = client();
    Request waits = second.queue(LOCK);
    SpiClient third = client();
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
      GivenBack.by(breakingOff(new AtomicInteger(-1)), LOCK);
      Request request = client.waitingRequest(LOCK);
      stepsLeft.set(1);
      assertThatThrownBy(() -> client.grab(request)).isInstanceOf(BackendFailure.class);
      client.renewed();
      assertThat(nodes()).isOne();
      join(NODES, client);
      SpiClient other = client();

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

  /** Its node is not among those that hang on the session. */
  @Test
  void whetherALockDelayLeftSomethingInAQueueThatCannotBeReadIsNotKnown() throws Exception {
    AtomicInteger stepsLeft = new AtomicInteger(-1);
    try (LockBackend broken = breakingOff(stepsLeft)) {
      SpiClient client = SpiClient.open(broken, StoreFixture.LONG);
      client.hold(client.request(new LockName("listed")).lockDelay(StoreFixture.LONG));
      GivenBack.by(breakingOff(new AtomicInteger(-1)), LOCK);
      Request request = client.waitingRequest(LOCK).lockDelay(StoreFixture.LONG);
      stepsLeft.set(2);
      assertThatThrownBy(() -> client.grab(request)).isInstanceOf(BackendFailure.class);
      client.renewed();
      assertThat(nodes()).isOne();
      join(NODES, client);

      assertThat(client.standing(request)).isInstanceOf(Standing.Waiting.class);
      assertThatThrownBy(() -> client.release(request))
          .isInstanceOf(BackendFailure.class)
          .hasMessageContaining("12000");

      assertThat(nodes()).isEqualTo(NODES + 1);
      client.renewed();
    }
  }
}
