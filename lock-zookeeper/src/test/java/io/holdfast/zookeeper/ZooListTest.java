package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Waiter;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.connection.SessionTimes;
import io.holdfast.zookeeper.connection.SharedConnections;
import io.holdfast.zookeeper.connection.ZookeeperUri;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.queue.ZooQueueTestBase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a page of a list takes. */
@Tag("server")
class ZooListTest extends ZooQueueTestBase {

  private static final Duration EACH_WAY = Duration.ofMillis(15);

  /** A stalled client sends in two flights what it would send in one. */
  private static final int FLIGHTS_MORE = 150;

  private List<LockRecord> page() {
    return backend.list("", Optional.empty(), 1_000, StoreFixture.soon());
  }

  private long flights(int locks) {
    requests.delay(EACH_WAY);
    requests.flightsSinceLast();
    assertThat(page()).hasSize(locks);
    long flights = requests.flightsSinceLast();
    requests.delay(Duration.ZERO);
    return flights;
  }

  private static LockName name(int i) {
    return new LockName("page/" + i);
  }

  @Test
  void aPageTakesAsManyRoundTripsHoweverManyLocksItHas() {
    SpiClient client = client();
    IntStream.range(0, 5).forEach(i -> client.hold(name(i)));
    long few = flights(5);
    IntStream.range(5, 200).forEach(i -> client.hold(name(i)));

    assertThat(flights(200)).as("round trips").isLessThan(few + FLIGHTS_MORE);
  }

  @Test
  void aPageTellsOfWhoWaitsForEachLock() {
    SpiClient client = client();
    SpiClient other = client();
    Held first = client.hold(name(1));
    Request waits = other.queue(name(1));
    Held downgraded = client.hold(name(2));
    Request shares = other.sharedRequest(name(2));
    other.grab(shares);
    Request writer = client.queue(name(2));
    client.downgrade(downgraded);
    Held shared = other.holding(shares);
    client.release(client.hold(name(3)));

    List<LockRecord> page = page();

    assertThat(page).extracting(LockRecord::name).containsExactly(name(1), name(2));
    assertThat(page)
        .isEqualTo(
            List.of(
                backend.inspect(name(1), StoreFixture.soon()).orElseThrow(),
                backend.inspect(name(2), StoreFixture.soon()).orElseThrow()));
    assertThat(page.get(0).number()).isEqualTo(first.number());
    assertThat(page.get(0).waiters()).extracting(Waiter::request).containsExactly(waits.id());
    assertThat(page.get(1).holders())
        .extracting(holder -> holder.ownNumber().orElseThrow())
        .containsExactly(downgraded.number(), shared.number());
    assertThat(page.get(1).waiters()).extracting(Waiter::request).containsExactly(writer.id());
  }

  /** Of which 700 are more than a megabyte: a slash is written with three characters. */
  private void fill(String bucket, int count) throws Exception {
    Semaphore made = new Semaphore(0);
    for (int i = 0; i < count; i++) {
      others.create(
          bucket + "/" + "%2F".repeat(508) + (1_000 + i),
          new byte[0],
          Ids.OPEN_ACL_UNSAFE,
          CreateMode.PERSISTENT,
          (code, path, context, name) -> made.release(),
          null);
    }
    assertThat(made.tryAcquire(count, 60, TimeUnit.SECONDS)).isTrue();
  }

  private static LockBackend over(ZooKeeper application) {
    Ensemble ensemble =
        new Ensemble(
            new SharedConnections(() -> application, "application"),
            "application",
            new SessionTimes(ZookeeperUri.TICK_DEFAULT),
            Ids.OPEN_ACL_UNSAFE,
            () -> {});
    return new ZookeeperLockBackend(ensemble, new Paths("/holdfast"), BackendOptions.DEFAULTS);
  }

  /** That breaks the connection of an application; ours are made for longer answers. */
  @Test
  void namesThatMayNotFitIntoAnAnswerAreNotRead() throws Exception {
    client().hold(LOCK);
    fill(QUEUE.substring(0, QUEUE.lastIndexOf('/')), 700);
    BlockingQueue<KeeperState> states = new LinkedBlockingQueue<>();
    try (ZooKeeper application =
            new ZooKeeper(requests.address(), 60_000, event -> states.add(event.getState()));
        LockBackend shared = over(application)) {
      assertThat(states.poll(60, TimeUnit.SECONDS)).isEqualTo(KeeperState.SyncConnected);

      assertThatThrownBy(() -> shared.list("", Optional.empty(), 10, StoreFixture.soon()))
          .isInstanceOf(BackendFailure.class)
          .hasMessageContaining("jute.maxbuffer");

      assertThat(shared.inspect(LOCK, StoreFixture.soon())).isPresent();
      assertThat(states).as("what became of the connection").isEmpty();
    }
    assertThat(page()).extracting(LockRecord::name).containsExactly(LOCK);
  }
}
