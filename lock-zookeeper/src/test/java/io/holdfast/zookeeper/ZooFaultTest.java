package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.Way;
import io.holdfast.tck.rules.Bench;
import io.holdfast.tck.rules.Held;
import io.holdfast.tck.rules.SpiClient;
import io.holdfast.tck.server.ZooEnsemble;
import io.holdfast.tck.server.ZooServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What servers of an ensemble do to locks when they die, stop, or cannot be reached. */
@Tag("server")
class ZooFaultTest {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Long enough for an election on a busy machine. */
  private static final Duration TTL = Duration.ofSeconds(20);

  private static ZooEnsemble ensemble;
  private static List<NetworkProxy> ways;

  private final String path = "/faults/" + UUID.randomUUID();

  @BeforeAll
  static void startEnsemble() {
    ensemble = ZooEnsemble.launch(3);
    ways =
        ensemble.members().stream()
            .map(member -> NetworkProxy.to(member.port(), Framing::none))
            .toList();
  }

  @AfterAll
  static void stopEnsemble() {
    ways.forEach(NetworkProxy::close);
    ensemble.close();
  }

  @AfterEach
  void heal() {
    ways.forEach(NetworkProxy::heal);
    ensemble.awaitReady();
  }

  private String path() {
    return "%s?tickTime=%d".formatted(path, ZooServer.TICK.toMillis());
  }

  private String uri() {
    return ways.stream()
        .map(way -> "127.0.0.1:" + way.port())
        .collect(Collectors.joining(",", "zookeeper://", path()));
  }

  private LockClient client(Duration ttl) {
    return Holdfast.builder().defaultTtl(ttl).connect(uri());
  }

  /** Whose session lives keeps its lock, and who waits is served after it. */
  private void holdAndWaitOver(Runnable fault) {
    try (LockClient one = client(TTL);
        LockClient other = client(TTL)) {
      // given
      Grant held = one.lock("a").acquire(PATIENCE);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("a").acquire(PATIENCE));
      await().atMost(PATIENCE).until(() -> one.find("a").orElseThrow().waiters().size() == 1);

      // when
      fault.run();

      // then
      held.check();
      assertThat(waits).isNotDone();
      held.close();
      try (Grant next = waits.join()) {
        assertThat(next.token()).isGreaterThan(held.token());
        next.check();
      }
    }
  }

  @Test
  void whatIsHeldAndAwaitedIsSoAfterTheLeaderWasKilled() {
    ZooServer leader = ensemble.leader();
    holdAndWaitOver(leader::kill);
    leader.start();
  }

  @Test
  void whatIsHeldAndAwaitedIsSoAfterAFollowerWasKilled() {
    ZooServer follower = ensemble.follower();
    holdAndWaitOver(follower::kill);
    follower.start();
  }

  @Test
  void whatIsHeldAndAwaitedIsSoWhileTheLeaderStandsStill() {
    ZooServer leader = ensemble.leader();
    try {
      holdAndWaitOver(leader::pause);
    } finally {
      leader.resume();
    }
  }

  @Test
  void whatIsHeldAndAwaitedIsSoAfterAllWereRestarted() {
    holdAndWaitOver(ensemble::restart);
  }

  @Test
  void whatIsHeldAndAwaitedIsSoWhileAMemberCannotBeReached() {
    holdAndWaitOver(ways.get(0)::isolate);
  }

  @Test
  void whatIsHeldAndAwaitedIsSoAfterAllConnectionsBroke() {
    holdAndWaitOver(() -> ways.forEach(NetworkProxy::cut));
  }

  /** Heartbeats go on over other connections, long before the client library gives these up. */
  @Test
  void whatIsHeldAndAwaitedIsSoAfterAllConnectionsFellSilent() {
    try (LockClient one = client(Duration.ofSeconds(6));
        LockClient other = client(Duration.ofSeconds(6))) {
      Grant held = one.lock("a").acquire(PATIENCE);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("a").acquire(PATIENCE));
      await().atMost(PATIENCE).until(() -> one.find("a").orElseThrow().waiters().size() == 1);

      ways.forEach(way -> way.swallow(Way.TO_CLIENT));

      await().atMost(PATIENCE).until(() -> held.remaining().compareTo(Duration.ofSeconds(4)) < 0);
      await().atMost(PATIENCE).until(() -> held.remaining().compareTo(Duration.ofSeconds(4)) > 0);
      held.check();
      held.close();
      assertThat(waits.join().token()).isGreaterThan(held.token());
    }
  }

  /**
   * The session of a holder that died is not forgotten by the next leader, which gives it a whole
   * timeout.
   */
  @Test
  void aHolderThatDiedTogetherWithTheLeaderIsFollowedByTheNextWaiter() {
    ZooServer leader = ensemble.leader();
    try (LockBackend backend =
            new ZookeeperLockProvider().connect(uri(), BackendOptions.DEFAULTS, Bench.soon());
        LockClient other = Holdfast.builder().defaultTtl(TTL).connect(uri())) {
      SpiClient dead = SpiClient.open(backend, Duration.ofSeconds(1));
      Held held = dead.hold(new LockName("a"));

      leader.kill();

      try (Grant next = other.lock("a").acquire(PATIENCE)) {
        assertThat(next.token().number()).isGreaterThan(held.number());
      }
    }
    leader.start();
  }

  @Test
  void aHolderThatCannotReachAnyMemberStopsBelievingBeforeTheNextOneHolds() {
    try (LockClient one = client(Duration.ofSeconds(2));
        LockClient other =
            Holdfast.builder().connect("zookeeper://" + ensemble.addresses() + path())) {
      Grant held = one.lock("a").acquire(PATIENCE);

      ways.forEach(NetworkProxy::isolate);
      try (Grant next = other.lock("a").acquire(PATIENCE)) {
        assertThat(held.isHeld()).isFalse();
        assertThat(next.token()).isGreaterThan(held.token());
      }
    }
  }

  @Test
  void aClientOfAnEnsembleThatDoesNotAnswerIsClosedInTime() {
    LockClient client = client(TTL);
    Grant held = client.lock("a").acquire(PATIENCE);
    ways.forEach(NetworkProxy::isolate);

    CompletableFuture.runAsync(client::close).orTimeout(60, TimeUnit.SECONDS).join();

    assertThat(held.isHeld()).isFalse();
  }

  /** What they had when there was a majority last is not given to anybody else meanwhile. */
  @Test
  void withoutAMajorityNobodyBelievesForLongAndNobodyElseIsLetIn() {
    try (LockClient one = client(Duration.ofSeconds(2));
        LockClient other = client(TTL)) {
      Grant held = one.lock("a").acquire(PATIENCE);
      other.lock("b").acquire(PATIENCE).release();

      ensemble.withoutQuorum(
          () -> {
            await().atMost(PATIENCE).until(() -> !held.isHeld());
            assertThatThrownBy(() -> other.lock("a").acquire(Duration.ofSeconds(2)))
                .isInstanceOf(HoldfastException.class);
          });

      held.close();
      try (Grant next = other.lock("a").acquire(PATIENCE)) {
        assertThat(next.token()).isGreaterThan(held.token());
      }
    }
  }
}
