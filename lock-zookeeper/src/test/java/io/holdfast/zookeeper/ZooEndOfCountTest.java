package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.queue.CountedServer;
import io.holdfast.zookeeper.queue.QueueListing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * ZooKeeper counts the nodes that were ever made below another, and stops at the greatest number of
 * 32 bits: from there on all bear that one. The order of a queue must not end with it.
 */
@Tag("server")
class ZooEndOfCountTest {

  private static final LockName LOCK = new LockName("a");
  private static final String QUEUE = new Paths("/holdfast").queue(LOCK);
  private static final int END = RequestNode.END;

  private static final int CLIENTS = 8;
  private static final int HOLDS_EACH = 4;
  private static final int ROUNDS = 10;
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  @TempDir private Path directory;
  private CountedServer server;
  private LockBackend backend;

  @BeforeEach
  void start() throws Exception {
    server = new CountedServer(directory.resolve("data"));
    backend =
        new ZookeeperLockProvider()
            .connect(server.uri(), BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @AfterEach
  void stop() {
    backend.close();
    server.close();
  }

  private SpiClient client() {
    return SpiClient.open(backend, StoreFixture.LONG);
  }

  private List<SpiClient> clients() {
    return IntStream.range(0, CLIENTS).mapToObj(i -> client()).toList();
  }

  private void countOnFrom(int next) throws Exception {
    SpiClient client = client();
    client.release(client.hold(LOCK));
    server.countOnFrom(QUEUE, next);
  }

  @ParameterizedTest
  @ValueSource(ints = {END - 4, END, Integer.MAX_VALUE - 4, Integer.MAX_VALUE})
  void oneHoldsAndTheOthersFollowInTheOrderInWhichTheyCame(int next) throws Exception {
    countOnFrom(next);
    List<SpiClient> clients = clients();
    List<Request> requests = clients.stream().map(client -> client.waitingRequest(LOCK)).toList();

    List<Attempt> attempts = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      attempts.add(clients.get(i).grab(requests.get(i)));
    }

    assertThat(attempts.get(0)).isInstanceOf(Attempt.Granted.class);
    assertThat(Set.copyOf(attempts.subList(1, CLIENTS))).containsExactly(new Attempt.Queued());
    assertThat(backend.inspect(LOCK, StoreFixture.soon()).orElseThrow().waiters())
        .hasSize(CLIENTS - 1);
    long last = ((Attempt.Granted) attempts.get(0)).number();
    for (int i = 0; i < CLIENTS; i++) {
      assertThat(holders(clients, requests)).containsExactly(i);
      long number = ((Standing.Holding) clients.get(i).standing(requests.get(i))).number();
      assertThat(number).isGreaterThanOrEqualTo(last);
      last = number;
      assertThat(clients.get(i).release(requests.get(i)))
          .isEqualTo(i == CLIENTS - 1 ? Released.FREED : Released.HANDED_ON);
    }
  }

  /**
   * The count ends again and again, on all levels, and empty queues are removed at all times. What
   * a verb costs grows with the levels, so there are rounds, each of which begins without any.
   */
  @ParameterizedTest
  @ValueSource(ints = {END - 3, Integer.MAX_VALUE - 3})
  void nobodyHoldsBesideAnotherWhileCountsEndAndQueuesAreRemoved(int next) throws Exception {
    Semaphore steps = new Semaphore(0);
    AtomicInteger inside = new AtomicInteger();
    AtomicLong last = new AtomicLong();
    AtomicInteger holds = new AtomicInteger();
    List<Callable<Void>> workers = new ArrayList<>();
    for (int i = 0; i < CLIENTS / 2; i++) {
      workers.add(
          () -> {
            try (LockClient client = stepping(steps)) {
              for (int held = 0; held < HOLDS_EACH; ) {
                Optional<Grant> grant =
                    held % 2 == 0
                        ? Optional.of(client.lock(LOCK.value()).acquire(TIMEOUT))
                        : client.lock(LOCK.value()).tryAcquire();
                if (grant.isPresent()) {
                  assertThat(inside.incrementAndGet()).as("holders").isOne();
                  long token = grant.get().token().value();
                  assertThat(token).isGreaterThan(last.getAndSet(token));
                  inside.decrementAndGet();
                  holds.incrementAndGet();
                  grant.get().close();
                  held++;
                }
              }
            } finally {
              steps.release();
            }
            return null;
          });
    }
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS / 2);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        List<Future<Void>> running = workers.stream().map(threads::submit).toList();
        int ended = 0;
        while (!running.stream().allMatch(Future::isDone)) {
          steps.tryAcquire(1, TimeUnit.SECONDS);
          steps.drainPermits();
          for (String level = QUEUE; server.has(level); level = QueueListing.next(level)) {
            server.countOnFrom(level, next);
            ended++;
          }
          server.reap();
        }
        for (Future<Void> worker : running) {
          worker.get();
        }
        assertThat(ended).isPositive();
        awaitRemovalOfTheQueue();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(holds).hasValue(ROUNDS * CLIENTS / 2 * HOLDS_EACH);
  }

  /** Returns a client that releases a permit before each of its requests to the server. */
  private LockClient stepping(Semaphore steps) {
    return Holdfast.builder()
        .connect(
            (options, deadline) ->
                ZookeeperLockProvider.connect(server.uri(), options, steps::release, deadline));
  }

  @Test
  void levelsGoWhenTheyAreEmptyAndTheCountBeginsAnew() throws Exception {
    countOnFrom(END);
    SpiClient client = client();
    Held below = client.hold(LOCK);
    assertThat(server.has(QueueListing.next(QUEUE))).isTrue();
    server.reap();
    assertThat(client.holding(below.request())).isEqualTo(below);
    client.release(below);

    awaitRemovalOfTheQueue();

    assertThat(client.hold(LOCK).number()).isGreaterThan(below.number());
    assertThat(server.has(QueueListing.next(QUEUE))).isFalse();
  }

  private void awaitRemovalOfTheQueue() {
    await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              server.reap();
              return !server.has(QUEUE);
            });
  }

  /** A level's nodes are not those of the queue's own node. */
  @ParameterizedTest
  @EnumSource(LockMode.class)
  void whoHoldsBelowTheFirstLevelIsToldWhetherOneWaits(LockMode mode) throws Exception {
    countOnFrom(END);
    SpiClient holder = client();
    Held held = holder.hold(holder.waitingRequest(LOCK).with(mode));
    assertThat(contention(holder, held)).isEqualTo(Contention.NOBODY_WAITS);

    SpiClient other = client();
    Request waits = other.queue(LOCK);

    assertThat(contention(holder, held)).isEqualTo(Contention.SOMEBODY_WAITS);
    other.release(waits);
    assertThat(contention(holder, held)).isEqualTo(Contention.NOBODY_WAITS);
  }

  private static Contention contention(SpiClient client, Held held) {
    return ((Standing.Holding) client.standing(held.request())).contention();
  }

  private static List<Integer> holders(List<SpiClient> clients, List<Request> requests) {
    return IntStream.range(0, CLIENTS)
        .filter(i -> clients.get(i).standing(requests.get(i)) instanceof Standing.Holding)
        .boxed()
        .toList();
  }
}
