package io.holdfast.tck.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.ClientBuilder;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.error.HoldfastException;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.network.Direction;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.server.MemberServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Locks while members of a cluster die, stop, or cannot be reached. */
@Topic(value = "CLU", level = Level.LOSS, clause = "docs/guarantees.md, Nobody is stranded")
public interface ClusterOutageRules extends OutageFixture {

  /** The shortest that every store grants. */
  Duration SHORT_TTL = Duration.ofSeconds(2);

  /** Of a holder that dies, when it has got its lock on a slow machine, too. */
  Duration BRIEF = Duration.ofSeconds(4);

  /** Returns the cluster. */
  ReachableCluster cluster();

  /** Returns what connects to it. */
  LockProvider provider();

  /** Returns where the locks are, which no other test uses, by the addresses of servers. */
  String uri(String addresses);

  @Override
  default String uri() {
    return uri(cluster().addresses());
  }

  @AfterEach
  default void heal() {
    cluster().heal();
  }

  @Test
  @Rule("HF-CLU-01")
  @Proves({Claim.TOKENS_SURVIVE_FAIL_OVER, Claim.GRANTS_SURVIVE_FAIL_OVER})
  default void whatIsHeldAndAwaitedIsSoAfterTheLeaderWasKilled() {
    holdAndWaitOverTheDeathOf(cluster().servers().leader());
  }

  @Test
  @Rule("HF-CLU-02")
  default void whatIsHeldAndAwaitedIsSoAfterAFollowerWasKilled() {
    holdAndWaitOverTheDeathOf(cluster().servers().follower());
  }

  private void holdAndWaitOverTheDeathOf(MemberServer member) {
    try {
      holdAndWaitOver(member::kill);
    } finally {
      startAgain(member);
    }
  }

  /** Else the rules that come next would fail without a mistake of their own. */
  private static void startAgain(MemberServer member) {
    if (!member.isRunning()) {
      member.start();
    }
  }

  private void holdAndWaitWhileItStandsStill(MemberServer member) {
    try {
      holdAndWaitOver(member::pause);
    } finally {
      member.resume();
    }
  }

  @Test
  @Rule("HF-CLU-03")
  default void whatIsHeldAndAwaitedIsSoWhileTheLeaderStandsStill() {
    holdAndWaitWhileItStandsStill(cluster().servers().leader());
  }

  @Test
  @Rule("HF-CLU-04")
  default void whatIsHeldAndAwaitedIsSoWhileAFollowerStandsStill() {
    holdAndWaitWhileItStandsStill(cluster().servers().follower());
  }

  @Test
  @Rule("HF-CLU-05")
  @Proves({Claim.TOKENS_SURVIVE_RESTART, Claim.GRANTS_SURVIVE_RESTART})
  default void whatIsHeldAndAwaitedIsSoAfterAllWereRestarted() {
    holdAndWaitOver(cluster().servers()::restart);
  }

  @Test
  @Rule("HF-CLU-06")
  default void whatIsHeldAndAwaitedIsSoWhileAMemberCannotBeReached() {
    holdAndWaitOver(cluster().ways().get(0)::isolate);
  }

  @Test
  @Rule("HF-CLU-07")
  default void whatIsHeldAndAwaitedIsSoAfterAllConnectionsBroke() {
    holdAndWaitOver(() -> cluster().ways().forEach(NetworkProxy::cut));
  }

  /** Heartbeats go on over other connections, long before the store's client gives these up. */
  @Test
  @Rule("HF-CLU-08")
  default void whatIsHeldAndAwaitedIsSoAfterAllConnectionsFellSilent() {
    // A heartbeat that fails takes a quarter of the TTL; the rest is for a slow machine.
    ClientBuilder steady =
        Holdfast.builder().defaultTtl(Duration.ofSeconds(20)).heartbeat(Duration.ofSeconds(1));
    try (LockClient one = client(steady);
        LockClient other = client(steady)) {
      // given
      Grant held = one.lock("a").acquire(TIMEOUT);
      CompletableFuture<Grant> waits = waiting(other, held, one);

      // when
      cluster().ways().forEach(way -> way.swallow(Direction.TO_CLIENT));
      Duration rest = held.remaining();
      long silentSince = System.nanoTime();

      // then; a lease that ends later than it did was renewed since
      await()
          .atMost(TIMEOUT)
          .until(
              () ->
                  held.remaining().plusNanos(System.nanoTime() - silentSince).compareTo(rest) > 0);
      held.check();
      held.close();
      assertThat(waits.join().token()).isGreaterThan(held.token());
    }
  }

  /**
   * The next leader knows of the session, and ends it when no client has renewed it for its TTL.
   */
  @Test
  @Rule("HF-CLU-09")
  default void aHolderThatDiedTogetherWithTheLeaderIsFollowedByTheNextWaiter() {
    MemberServer leader = cluster().servers().leader();
    try (LockBackend backend =
            provider().connect(uri(), BackendOptions.DEFAULTS, StoreFixture.soon());
        LockClient other = client(ttl())) {
      SpiClient dead = SpiClient.open(backend, BRIEF);
      Held held = dead.hold(new LockName("a"));

      leader.kill();

      try (Grant next = other.lock("a").acquire(TIMEOUT)) {
        assertThat(next.token().number()).isGreaterThan(held.number());
      }
    } finally {
      startAgain(leader);
    }
  }

  @Test
  @Rule("HF-CLU-10")
  default void aHolderThatCannotReachAnyMemberStopsBelievingBeforeTheNextOneHolds() {
    try (LockClient one = client(SHORT_TTL);
        LockClient other = Holdfast.connect(uri(cluster().servers().addresses()))) {
      Grant held = one.lock("a").acquire(TIMEOUT);

      cluster().ways().forEach(NetworkProxy::isolate);
      try (Grant next = other.lock("a").acquire(TIMEOUT)) {
        assertThat(held.isHeld()).as("isHeld() of the grant of %s", held.name()).isFalse();
        assertThat(next.token()).isGreaterThan(held.token());
      }
    }
  }

  @Test
  @Rule("HF-CLU-11")
  default void aClientOfAClusterThatDoesNotAnswerIsClosedInTime() {
    LockClient client = client(ttl());
    Grant held = client.lock("a").acquire(TIMEOUT);
    cluster().ways().forEach(NetworkProxy::isolate);

    CompletableFuture.runAsync(client::close).orTimeout(60, TimeUnit.SECONDS).join();

    assertThat(held.isHeld()).as("isHeld() of the grant of %s", held.name()).isFalse();
  }

  /**
   * Locks that they had when there was a majority last are not given to another client meanwhile.
   */
  @Test
  @Rule("HF-CLU-12")
  default void withoutAMajorityNobodyBelievesForLongAndNobodyElseIsLetIn() {
    try (LockClient one = client(SHORT_TTL);
        LockClient other = client(ttl())) {
      Grant held = one.lock("a").acquire(TIMEOUT);
      other.lock("b").acquire(TIMEOUT).release();

      cluster()
          .servers()
          .withoutQuorum(
              () -> {
                await().atMost(TIMEOUT).until(() -> !held.isHeld());
                assertThatThrownBy(() -> other.lock("a").acquire(Duration.ofSeconds(2)))
                    .isInstanceOf(HoldfastException.class);
              });

      held.close();
      try (Grant next = other.lock("a").acquire(TIMEOUT)) {
        assertThat(next.token()).isGreaterThan(held.token());
      }
    }
  }
}
