package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.testing.redis.RedisSentinel;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A Sentinel promotes the only replica, because neither reaches the master any more. The old master
 * goes on for the holder that was cut off together with it.
 */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class RedisSentinelTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(90);
  private static final Duration MAX_TTL = Duration.ofSeconds(8);

  /** Much shorter, and yet no lease of it runs out on a slow machine before it is looked at. */
  private static final Duration SHORT_TTL = Duration.ofSeconds(2);

  private static final String WAIT = "?waitReplicas=1";

  private RedisServer master;
  private NetworkProxy link;
  private RedisServer replica;
  private RedisSentinel sentinel;

  @BeforeEach
  void startServers() {
    master = RedisServer.launch("--repl-diskless-sync-delay", "0");
    link = NetworkProxy.to(master.port(), Framing::none);
    replica = RedisServer.replicaOf(link.port());
    sentinel = RedisSentinel.watching(link.port());
  }

  @AfterEach
  void stopServers() {
    sentinel.close();
    replica.close();
    link.close();
    master.close();
  }

  private static LockClient client(String uri, Duration ttl) {
    return Holdfast.builder().maxTtl(MAX_TTL).defaultTtl(ttl).connect(uri);
  }

  private static CompletableFuture<Grant> acquiring(LockClient client) {
    return CompletableFuture.supplyAsync(() -> client.lock("a").acquire(TIMEOUT));
  }

  /** Returns when the replica was promoted. */
  private void cutOff() {
    link.refuse();
    link.cut();
    sentinel.noticeFailures();
    await().atMost(TIMEOUT).until(() -> replica.command("ROLE").startsWith("master"));
    // The old master becomes a replica only when it has not seemed to fail for eight seconds.
    sentinel.overlookFailures();
  }

  /**
   * The holder's TTL is longer than the others'. They wait for a replica too, and there is one
   * again when the old master has become it.
   */
  @Test
  void withReplicasAcknowledgingNoGrantIsLostAndNobodyIsLetInBesideTheHolder() {
    try (LockClient one = client(master.uri() + WAIT, MAX_TTL);
        LockClient other = client(sentinel.uri() + WAIT, SHORT_TTL)) {
      // given
      Grant held = one.lock("a").acquire(TIMEOUT);
      CompletableFuture<Boolean> waits =
          acquiring(other).thenApply(next -> isNextAfter(held, next));
      await().atMost(TIMEOUT).until(() -> one.find("a").orElseThrow().waiters().size() == 1);

      // when
      cutOff();

      // then
      try (LockClient later = client(replica.uri(), SHORT_TTL)) {
        assertThat(later.find("a").orElseThrow().number()).isEqualTo(held.token().number());
      }
      await().atMost(TIMEOUT).until(() -> !held.isHeld());
      link.heal();
      try (LockClient later = client(sentinel.uri() + WAIT, SHORT_TTL)) {
        assertThat(waits.join()).isTrue();
        assertThat(isNextAfter(held, acquiring(later).join())).isTrue();
      }
    }
  }

  private static boolean isNextAfter(Grant former, Grant next) {
    try (next) {
      return !former.isHeld() && next.token().compareTo(former.token()) > 0;
    }
  }

  /**
   * The stated limit: two clients believe that they hold. The first was granted the lock after the
   * cut, and only the old master knows that. A resource that checks tokens tells them apart.
   */
  @Test
  void withoutReplicasAcknowledgingWhatTakesTokensRefusesTheHolderThatWasCutOff() {
    try (LockClient one = client(master.uri(), MAX_TTL);
        LockClient other = client(sentinel.uri(), MAX_TTL)) {
      // given
      one.lock("a").acquire(TIMEOUT).release();
      cutOff();

      // when
      one.lock("a").acquire(TIMEOUT).release();
      Grant held = one.lock("a").acquire(TIMEOUT);

      // then
      try (Grant next = acquiring(other).join()) {
        held.check();
        next.check();
        assertThat(held.token()).isLessThan(next.token());
      }
      link.heal();
      await().atMost(TIMEOUT).until(() -> !held.isHeld());
    }
  }
}
