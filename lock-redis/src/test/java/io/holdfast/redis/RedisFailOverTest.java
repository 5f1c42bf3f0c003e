package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.LockClient;
import io.holdfast.SessionId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.Standing;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.report.Claim;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.server.RedisSentinel;
import io.holdfast.tck.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A replica is promoted, and the old master has gone, or has been cut off with a client of it. */
@Adapter("redis")
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class RedisFailOverTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(700);
  private static final Duration MAX_TTL = Duration.ofSeconds(4);
  private static final Duration SHORT_TTL = Duration.ofMillis(800);
  private static final String WAIT = "&waitReplicas=1";

  private RedisServer master;
  private RedisServer replica;
  private RedisNamespace namespace;

  @BeforeEach
  void startServers() {
    master = RedisServer.launch("--repl-diskless-sync-delay", "0");
    replica = RedisServer.replicaOf(master);
    namespace = RedisNamespace.on(master);
  }

  @AfterEach
  void stopServers() {
    namespace.close();
    replica.close();
    master.close();
  }

  private LockBackend oldServer(String parameters) {
    LockBackend backend = namespace.backend(master, parameters);
    session(backend);
    namespace.endGuard();
    return backend;
  }

  private void promote() {
    assertThat(replica.command("REPLICAOF", "NO", "ONE")).isEqualTo("OK");
  }

  /** From now on the old master's writes reach nobody. */
  @Test
  @Proves(Claim.TOKENS_SURVIVE_FAIL_OVER)
  void onAPromotedReplicaThatLagsNothingOfBeforeCountsAndNumbersRise() {
    // given
    LockBackend before = oldServer("");
    SessionId former = session(before);
    Request kept = request(former, "a", IfHeld.REFUSE);
    take(before, kept);
    before.release(kept.name(), kept.id(), soon());
    assertThat(master.command("WAIT", "1", "10000")).isEqualTo("1");
    promote();
    long lost = take(before, request(former, "a", IfHeld.REFUSE)).number();
    master.kill();

    // when
    LockBackend after = namespace.backend(replica, "");
    SessionId mine = session(after);

    // then
    assertThat(after.renew(former, soon())).isEqualTo(new Renewed.Over());
    assertThat(after.grab(request(mine, "a", IfHeld.REFUSE), soon()))
        .isInstanceOf(Attempt.Delayed.class);
    assertThat(replica.command("HSET", namespace.key("namespace"), "guard", "0")).isEqualTo("0");
    assertThat(take(after, request(mine, "a", IfHeld.REFUSE)).number()).isGreaterThan(lost);
  }

  @Test
  void aConnectionFromBeforeItsServerWasDemotedAndPromotedAgainIsNotBelieved() {
    LockBackend before = oldServer("");
    SessionId former = session(before);
    take(before, request(former, "a", IfHeld.REFUSE));

    promote();
    master.command("REPLICAOF", "127.0.0.1", Integer.toString(replica.port()));
    await()
        .atMost(PATIENCE)
        .until(() -> master.command("INFO", "replication").contains("master_link_status:up"));
    master.command("REPLICAOF", "NO", "ONE");

    assertThat(before.renew(former, soon())).isEqualTo(new Renewed.Over());
  }

  @Test
  void withoutItsReplicasNothingCountsThatSomebodyWouldBelieve() {
    // given
    LockBackend backend = oldServer(WAIT);
    SessionId mine = session(backend);
    Request held = request(mine, "a", IfHeld.REFUSE);
    take(backend, held);
    replica.pause();
    try {
      // when
      Request wanted = request(mine, "b", IfHeld.QUEUE);
      BackendFailure renewal = failure(() -> backend.renew(mine, Deadline.in(SHORT)));
      BackendFailure grab = failure(() -> backend.grab(wanted, Deadline.in(SHORT)));
      BackendFailure look =
          failure(() -> backend.look(mine, List.of(wanted.key()), Deadline.in(SHORT)));

      // then
      assertThat(List.of(renewal.effect(), grab.effect(), look.effect()))
          .containsOnly(Effect.UNKNOWN);
      assertThat(renewal).hasMessageContaining("0 of 1 replicas");
      assertThatThrownBy(() -> session(backend)).isInstanceOf(BackendFailure.class);
    } finally {
      replica.resume();
    }
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> backend.renew(mine, Deadline.in(SHORT)) instanceof Renewed.Alive);
    assertThat(backend.look(mine, List.of(held.key()), soon()).get(0))
        .isInstanceOf(Standing.Holding.class);
  }

  private static BackendFailure failure(Runnable call) {
    return catchThrowableOfType(BackendFailure.class, call::run);
  }

  @Test
  void whatReplicasAcknowledgedIsOnThePromotedOne() {
    LockBackend before = oldServer(WAIT);
    Request held = request(session(before), "a", IfHeld.REFUSE);
    long number = take(before, held).number();

    promote();
    master.kill();

    LockBackend after = namespace.backend(replica, "");
    assertThat(after.inspect(held.name(), soon()).orElseThrow().number()).isEqualTo(number);
  }

  private LockClient client(String uri, String parameters, Duration ttl) {
    return Holdfast.builder()
        .maxTtl(MAX_TTL)
        .defaultTtl(ttl)
        .connect(uri + "?prefix=" + namespace.prefix() + parameters);
  }

  @Test
  void whatReplicasDidNotAcknowledgeIsGivenBack() {
    try (LockClient one = client(master.uri(), WAIT, MAX_TTL)) {
      // given
      one.lock("a").acquire(PATIENCE);
      replica.pause();
      try {
        // when
        assertThatThrownBy(() -> one.lock("b").acquire(SHORT))
            .isInstanceOf(HoldfastException.class);
      } finally {
        replica.resume();
      }

      // then
      try (LockClient other = client(master.uri(), "", MAX_TTL);
          Grant next = other.lock("b").acquire(PATIENCE)) {
        next.check();
      }
    }
  }

  @Test
  void aHolderAndAWaiterLiveThroughASentinelsFailOver() {
    try (RedisSentinel sentinel = RedisSentinel.watching(master);
        LockClient one = client(sentinel.uri(), "", MAX_TTL);
        LockClient other = client(sentinel.uri(), "", SHORT_TTL)) {
      // given
      Grant held = one.lock("a").acquire(PATIENCE);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(
              () -> {
                Grant grant = other.lock("a").acquire(PATIENCE);
                assertThat(held.isHeld()).isFalse();
                return grant;
              });
      await().atMost(PATIENCE).until(() -> one.find("a").orElseThrow().waiters().size() == 1);

      // when
      master.kill();

      // then
      try (Grant next = waits.join()) {
        assertThat(next.token().value()).isGreaterThan(held.token().value());
        next.check();
      }
    }
  }

  @Test
  void aSentinelThatDoesNotKnowTheMasterIsSaidSo() {
    try (RedisSentinel sentinel = RedisSentinel.watching(master)) {
      assertThatThrownBy(
              () ->
                  new RedisLockProvider()
                      .connect(
                          sentinel.uri().replace("/main", "/nobody"),
                          BackendOptions.DEFAULTS,
                          soon()))
          .isInstanceOf(BackendFailure.class)
          .hasMessageContaining("knows no such master");
    }
  }
}
