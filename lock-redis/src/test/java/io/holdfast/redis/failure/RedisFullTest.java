package io.holdfast.redis.failure;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.observed;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.redis.RedisNamespace;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server has reached its maxmemory, and removes nothing to get below it. */
@Tag("server")
public class RedisFullTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration HEARTBEAT = Duration.ofMillis(500);
  private static final int RENEWALS = 4;

  private RedisServer server;

  @BeforeEach
  public void startServer() {
    server = RedisServer.launch();
  }

  @AfterEach
  public void stopServer() {
    server.close();
  }

  /** Returns a client whose leases run out in no test, and are renewed often. */
  private LockClient client() {
    return Holdfast.builder()
        .withoutRestartGuard()
        .defaultTtl(HEARTBEAT.multipliedBy(40))
        .heartbeat(HEARTBEAT)
        .connect(server.uri());
  }

  private void fill() {
    server.command("CONFIG", "SET", "maxmemory", "1");
    assertThat(server.command("SET", "anything", "more")).contains("OOM");
  }

  private void makeRoom() {
    server.command("CONFIG", "SET", "maxmemory", "0");
  }

  /** Also over connections, and with scripts, that the server has not seen before. */
  @ParameterizedTest
  @ValueSource(strings = {"SCRIPT FLUSH", "CLIENT KILL TYPE normal", "PING"})
  public void whatIsHeldStaysHeldAndIsHandedOver(String disturbance) {
    try (LockClient one = client();
        LockClient other = client()) {
      // given
      Grant held = one.lock("a").acquire(TIMEOUT);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("a").acquire(TIMEOUT));
      awaitWaiter(one);
      String session = sessionOfHolder(one);

      // when
      fill();
      server.command(disturbance.split(" "));

      // then
      for (int i = 0; i < RENEWALS; i++) {
        awaitRenewal(session);
      }
      held.check();
      assertThat(held.release())
          .as("a connection that was killed may have to be opened again first")
          .isIn(ReleaseOutcome.HANDED_ON, ReleaseOutcome.PENDING);
      Grant next = waits.join();
      next.check();
      assertThat(next.release()).isEqualTo(ReleaseOutcome.FREED);
    }
  }

  @Test
  public void whoDiesIsOvertaken() {
    try (LockClient other = client()) {
      // given
      LockClient dead = client();
      dead.lock("a").acquire(TIMEOUT);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("a").acquire(TIMEOUT));
      awaitWaiter(other);

      // when
      fill();
      server.command("DEL", sessionOfHolder(other));

      // then
      waits.join().check();
      dead.close();
    }
  }

  private void awaitRenewal(String session) {
    String last = server.command("HGET", session, "renewed");
    await().atMost(TIMEOUT).until(() -> !server.command("HGET", session, "renewed").equals(last));
  }

  private String sessionOfHolder(LockClient client) {
    return "{holdfast:0}:session:"
        + client.find("a").orElseThrow().holder().orElseThrow().request().session().value();
  }

  @Test
  public void aHolderIsRevoked() {
    try (LockClient one = client();
        LockClient other = client()) {
      Grant held = one.lock("a").acquire(TIMEOUT);
      fill();

      assertThat(other.revoke(other.find("a").orElseThrow(), RevokeWhen.SAFELY))
          .isInstanceOf(Revocation.Marked.class);

      await().atMost(TIMEOUT).until(() -> !held.isHeld());
      held.release();
      await().atMost(TIMEOUT).until(() -> other.find("a").flatMap(LockRecord::holder).isEmpty());
    }
  }

  @Test
  public void whatIsHeldIsSharedAndStays() {
    try (RedisNamespace namespace = RedisNamespace.on(server)) {
      LockBackend backend = namespace.backendOfOldServer();
      SessionId mine = session(backend);
      Request held = request(mine, "a", IfHeld.QUEUE);
      take(backend, held);
      Request reader = request(mine, "a", IfHeld.QUEUE).with(LockMode.SHARED);
      backend.grab(reader, soon());
      Request delayed = request(session(backend), "b", IfHeld.QUEUE).lockDelay(TIMEOUT);
      long number = take(backend, delayed).number();
      backend.end(delayed.id().session(), EndIf.CLOSED, soon());

      fill();

      assertThat(backend.downgrade(held.key(), soon())).isPresent();
      assertThat(backend.look(mine, List.of(reader.key()), soon()).get(0))
          .isInstanceOf(Standing.Holding.class);
      assertThat(backend.releaseAfter(reader.key(), TIMEOUT, soon())).isEqualTo(Released.STAYS);
      assertThat(backend.release(held.name(), held.id(), soon())).isEqualTo(Released.SHARED);
      backend.overtake(request(mine, "b", IfHeld.REFUSE), observed(delayed, number), soon());
      assertThat(backend.inspect(delayed.name(), soon()).orElseThrow().holders().get(0).liveness())
          .isEqualTo(Liveness.STAYING);
    }
  }

  @Test
  public void aNewLockIsRefusedWithWhatToDo() {
    try (LockClient one = client()) {
      one.lock("a").acquire(TIMEOUT);
      fill();

      assertThatThrownBy(() -> one.lock("b").tryAcquire())
          .isInstanceOf(BackendUnreachableException.class)
          .hasMessageContainingAll("\"b\"", server.uri(), "is full", "maxmemory", "stay");

      makeRoom();
      assertThat(one.lock("b").tryAcquire()).isPresent();
    }
  }

  /** Who shares a lock needs room as well as who waits for it. */
  @ParameterizedTest
  @EnumSource(LockMode.class)
  public void whoJoinsFirstIsRefused(LockMode mode) {
    try (RedisNamespace namespace = RedisNamespace.on(server)) {
      LockBackend backend = namespace.backendOfOldServer();
      SessionId mine = session(backend);
      take(backend, request(mine, "a", IfHeld.QUEUE).with(mode));
      Request joins = request(mine, "a", IfHeld.QUEUE).with(mode);
      fill();

      assertThatThrownBy(() -> backend.grab(joins, soon()))
          .isInstanceOf(BackendFailure.class)
          .hasMessageContaining("is full");
      assertThat(backend.look(mine, List.of(joins.key()), soon()).get(0))
          .isEqualTo(new Standing.Absent());
    }
  }

  private static void awaitWaiter(LockClient client) {
    await().atMost(TIMEOUT).until(() -> client.find("a").orElseThrow().waiters().size() == 1);
  }
}
