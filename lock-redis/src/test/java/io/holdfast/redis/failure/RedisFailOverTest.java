package io.holdfast.redis.failure;

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
import io.holdfast.LockClient;
import io.holdfast.SessionId;
import io.holdfast.error.HoldfastException;
import io.holdfast.redis.RedisLockProvider;
import io.holdfast.redis.RedisNamespace;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.report.Proves;
import io.holdfast.testing.redis.RedisSentinel;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
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
public class RedisFailOverTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(700);
  private static final Duration MAX_TTL = Duration.ofSeconds(8);

  /** Much shorter, and yet no lease of it runs out on a slow machine before it is looked at. */
  private static final Duration SHORT_TTL = Duration.ofSeconds(2);

  private static final String WAIT = "&waitReplicas=1";

  private RedisServer master;
  private RedisServer replica;
  private RedisNamespace namespace;

  @BeforeEach
  public void startServers() {
    master = RedisServer.launch("--repl-diskless-sync-delay", "0");
    replica = RedisServer.replicaOf(master);
    namespace = RedisNamespace.on(master);
  }

  @AfterEach
  public void stopServers() {
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

  /** From now on the writes of the old master reach no replica. */
  @Test
  @Proves(Claim.TOKENS_SURVIVE_FAIL_OVER)
  public void onAPromotedReplicaThatLagsNothingOfBeforeCountsAndNumbersRise() {
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
  public void aConnectionFromBeforeItsServerWasDemotedAndPromotedAgainIsNotBelieved() {
    LockBackend before = oldServer("");
    SessionId former = session(before);
    take(before, request(former, "a", IfHeld.REFUSE));

    promote();
    master.command("REPLICAOF", "127.0.0.1", Integer.toString(replica.port()));
    await()
        .atMost(TIMEOUT)
        .until(() -> master.command("INFO", "replication").contains("master_link_status:up"));
    master.command("REPLICAOF", "NO", "ONE");

    assertThat(before.renew(former, soon())).isEqualTo(new Renewed.Over());
  }

  /** Its replication id is that of its master then, and so is the one on record. */
  @Test
  public void aServerThatWasDemotedAnswersNothing() {
    LockBackend before = oldServer("");
    Request held = request(session(before), "a", IfHeld.REFUSE);
    take(before, held);

    // A server that is durable is told apart by more than that id.
    replica.command("CONFIG", "SET", "appendfsync", "everysec");
    promote();
    session(namespace.backend(replica, ""));
    master.command("REPLICAOF", "127.0.0.1", Integer.toString(replica.port()));
    await()
        .atMost(TIMEOUT)
        .until(() -> master.command("INFO", "replication").contains("master_link_status:up"));
    String onRecord = replica.command("HGET", namespace.key("namespace"), "replid");
    assertThat(master.command("INFO", "replication")).contains("master_replid:" + onRecord);
    assertThat(master.command("HGET", namespace.key("namespace"), "replid")).isEqualTo(onRecord);

    assertThat(failure(() -> before.inspect(held.name(), soon()))).isNotNull();
  }

  @Test
  public void withoutItsReplicasNothingCountsThatSomebodyWouldBelieve() {
    // given
    LockBackend backend = oldServer(WAIT);
    SessionId mine = session(backend);
    Request held = request(mine, "a", IfHeld.REFUSE);
    take(backend, held);
    replica.pause();
    try {
      // when; at once, since each of them waits for its whole time
      Request wanted = request(mine, "b", IfHeld.QUEUE);
      CompletableFuture<BackendFailure> renewal = failing(() -> backend.renew(mine, soon()));
      CompletableFuture<BackendFailure> grab = failing(() -> backend.grab(wanted, soon()));
      CompletableFuture<BackendFailure> look =
          failing(() -> backend.look(mine, List.of(wanted.key()), soon()));
      CompletableFuture<BackendFailure> opening = failing(() -> session(backend));

      // then
      assertThat(Stream.of(renewal, grab, look, opening).map(CompletableFuture::join))
          .extracting(BackendFailure::effect)
          .containsOnly(Effect.UNKNOWN);
      await("a call that has the time to say why")
          .atMost(TIMEOUT)
          .until(
              () -> failure(() -> backend.renew(mine, Deadline.in(SHORT))).getMessage(),
              message -> message.contains("0 of 1 replicas"));
    } finally {
      replica.resume();
    }
    await()
        .atMost(TIMEOUT)
        .ignoreExceptions()
        .until(() -> backend.renew(mine, Deadline.in(SHORT)) instanceof Renewed.Alive);
    assertThat(backend.look(mine, List.of(held.key()), soon()).get(0))
        .isInstanceOf(Standing.Holding.class);
  }

  private static CompletableFuture<BackendFailure> failing(Runnable call) {
    return CompletableFuture.supplyAsync(() -> failure(call));
  }

  private static BackendFailure failure(Runnable call) {
    return catchThrowableOfType(BackendFailure.class, call::run);
  }

  @Test
  public void whatReplicasAcknowledgedIsOnThePromotedOne() {
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
  public void whatReplicasDidNotAcknowledgeIsGivenBack() {
    try (LockClient one = client(master.uri(), WAIT, MAX_TTL)) {
      // given
      one.lock("a").acquire(TIMEOUT);
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
          Grant next = other.lock("b").acquire(TIMEOUT)) {
        next.check();
      }
    }
  }

  @Test
  public void aHolderAndAWaiterLiveThroughASentinelsFailOver() {
    try (RedisSentinel sentinel = RedisSentinel.watching(master);
        LockClient one = client(sentinel.uri(), "", MAX_TTL);
        LockClient other = client(sentinel.uri(), "", SHORT_TTL)) {
      // given
      Grant held = one.lock("a").acquire(TIMEOUT);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(
              () -> {
                Grant grant = other.lock("a").acquire(TIMEOUT);
                assertThat(held.isHeld()).isFalse();
                return grant;
              });
      await().atMost(TIMEOUT).until(() -> one.find("a").orElseThrow().waiters().size() == 1);

      // when
      master.kill();
      sentinel.noticeFailures();

      // then
      try (Grant next = waits.join()) {
        assertThat(next.token().value()).isGreaterThan(held.token().value());
        next.check();
      }
    }
  }

  @Test
  public void aSentinelThatDoesNotKnowTheMasterIsSaidSo() {
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
