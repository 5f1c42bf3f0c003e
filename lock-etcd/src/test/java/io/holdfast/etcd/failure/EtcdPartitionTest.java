package io.holdfast.etcd.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.testing.etcd.EtcdCluster;
import io.holdfast.testing.etcd.EtcdServer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A member is cut off from the others together with its clients, who go on talking to it. */
@Tag("server")
class EtcdPartitionTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  /** Runs out soon enough to wait for, and not while a slow machine makes a few calls. */
  private static final Duration SHORT = Duration.ofSeconds(6);

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int TRIES = 5;

  private static EtcdCluster cluster;

  private final String prefix = "/partition/" + UUID.randomUUID();

  @BeforeAll
  static void startCluster() {
    cluster = EtcdCluster.launch(3);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @AfterEach
  void heal() {
    cluster.reunite();
  }

  private LockClient behind(EtcdServer member, Duration ttl) {
    return Holdfast.builder().defaultTtl(ttl).connect("etcd://" + member.address() + prefix);
  }

  private LockClient apartFrom(EtcdServer member) {
    String others =
        cluster.members().stream()
            .filter(other -> other != member)
            .map(EtcdServer::address)
            .collect(Collectors.joining(","));
    return Holdfast.builder().defaultTtl(LONG).connect("etcd://" + others + prefix);
  }

  /** What a waiter was granted, and whether the holder before still believed then. */
  private record Next(Grant grant, boolean isBesideAnother) {}

  /** A holder, one who waits apart from it, and one who waits behind the same member. */
  private record Scene(
      Grant held, CompletableFuture<Next> waits, CompletableFuture<Grant> waitsBehindTheMember) {

    static Scene begin(LockClient one, LockClient other, LockClient lost) {
      Grant held = one.lock("a").acquire(TIMEOUT);
      CompletableFuture<Next> waits =
          CompletableFuture.supplyAsync(
              () -> {
                Grant grant = other.lock("a").acquire(TIMEOUT);
                return new Next(grant, held.isHeld());
              });
      awaitWaiters(other, held, 1);
      CompletableFuture<Grant> waitsBehindTheMember =
          CompletableFuture.supplyAsync(() -> lost.lock("a").acquire(TIMEOUT));
      awaitWaiters(other, held, 2);
      return new Scene(held, waits, waitsBehindTheMember);
    }

    /** Returns when so many wait, or the lease has run out meanwhile. */
    private static void awaitWaiters(LockClient client, Grant held, int count) {
      await()
          .atMost(TIMEOUT)
          .ignoreException(BackendUnreachableException.class)
          .until(
              () ->
                  !held.isHeld()
                      || client.find("a").map(found -> found.waiters().size()).orElse(0) == count);
    }

    void end() {
      held.release();
      waits.join().grant().release();
      waitsBehindTheMember.join().release();
    }
  }

  /** Begins anew if the machine stood still and the holder has nothing more to give up. */
  private static Scene scene(LockClient one, LockClient other, LockClient lost) {
    Scene scene = Scene.begin(one, other, lost);
    for (int tries = 1; tries < TRIES && !scene.held().isHeld(); tries++) {
      scene.end();
      scene = Scene.begin(one, other, lost);
    }
    return scene;
  }

  private void theHolderGivesUpFirstAndNobodyIsStranded(EtcdServer member) {
    try (LockClient one = behind(member, SHORT);
        LockClient lost = behind(member, SHORT);
        LockClient other = apartFrom(member)) {
      // given
      Scene scene = scene(one, other, lost);
      Grant held = scene.held();
      CompletableFuture<Grant> waitsBehindTheMember = scene.waitsBehindTheMember();

      // when
      cluster.cutOff(member);

      // then
      Next next = scene.waits().join();
      assertThat(next.isBesideAnother()).isFalse();
      assertThat(next.grant().token()).isGreaterThan(held.token());
      next.grant().check();
      assertThat(waitsBehindTheMember).isNotDone();
      assertThat(held.isHeld()).isFalse();

      cluster.reunite();
      next.grant().release();
      Grant last = waitsBehindTheMember.join();
      assertThat(last.token()).isGreaterThan(next.grant().token());
      last.release();
      // It may not have heard yet that its session is over.
      held.release();
      assertThat(one.lock("a").acquire(TIMEOUT).token()).isGreaterThan(last.token());
    }
  }

  private static void awaitWaiters(LockClient client, int count) {
    await()
        .atMost(TIMEOUT)
        .ignoreException(BackendUnreachableException.class)
        .until(() -> client.find("a").orElseThrow().waiters().size() == count);
  }

  /** It goes on acknowledging keep-alives until it notices that it has no followers. */
  @Test
  void aHolderCutOffWithTheLeaderGivesUpBeforeOthersAreLetIn() {
    theHolderGivesUpFirstAndNobodyIsStranded(cluster.leader());
  }

  @Test
  void aHolderCutOffWithAFollowerGivesUpBeforeOthersAreLetIn() {
    theHolderGivesUpFirstAndNobodyIsStranded(cluster.follower());
  }

  /** Whose heartbeats come through elsewhere keeps its lock when the leader is gone. */
  @Test
  void aHolderWithTheMajorityKeepsItsLockWhileTheLeaderIsCutOff() {
    EtcdServer leader = cluster.leader();
    try (LockClient one = apartFrom(leader);
        LockClient lost = behind(leader, SHORT)) {
      Grant held = one.lock("a").acquire(TIMEOUT);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> lost.lock("a").acquire(TIMEOUT));
      awaitWaiters(one, 1);

      cluster.cutOff(leader);
      // The waiter's session is over by then: its lease has run out under the new leader.
      awaitWaiters(one, 0);

      held.check();
      assertThat(waits).isNotDone();
      cluster.reunite();
      held.release();
      assertThat(waits.join().token()).isGreaterThan(held.token());
    }
  }
}
