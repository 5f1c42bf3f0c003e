package io.holdfast.redis.connection;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.RedisNamespace;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisPooled;

/** Locks over a jedis client that is the application's. */
@Tag("server")
class ApplicationClientTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private RedisServer server;
  private RedisNamespace namespace;
  private JedisPooled jedis;

  @BeforeEach
  void startServer() {
    server = RedisServer.launch();
    namespace = RedisNamespace.on(server);
    jedis = new JedisPooled("127.0.0.1", server.port());
  }

  @AfterEach
  void stopServer() {
    jedis.close();
    server.close();
  }

  private LockBackend backend() {
    return RedisLocks.on(jedis, namespace.prefix()).connect(BackendOptions.DEFAULTS, soon());
  }

  @Test
  void clientsOfBothKindsShareLocksAndHints() {
    try (LockClient one = Holdfast.builder().connect(backend());
        LockClient other = Holdfast.connect(namespace.uri())) {
      // given
      session(namespace.backend());
      namespace.endGuard();
      Grant held = one.lock("a").acquire(TIMEOUT);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("a").acquire(TIMEOUT));
      await().atMost(TIMEOUT).until(() -> one.find("a").orElseThrow().waiters().size() == 1);

      // when
      held.release();

      // then
      Grant next = waits.join();
      assertThat(next.token().value()).isGreaterThan(held.token().value());
      CompletableFuture<Grant> back =
          CompletableFuture.supplyAsync(() -> one.lock("a").acquire(TIMEOUT));
      await().atMost(TIMEOUT).until(() -> one.find("a").orElseThrow().waiters().size() == 1);
      next.release();
      back.join().release();
    }
  }

  @Test
  void itIsNotClosedWithTheBackend() {
    LockBackend backend = backend();

    backend.close();

    assertThat(jedis.ping()).isEqualTo("PONG");
    assertThatThrownBy(() -> session(backend)).isInstanceOf(BackendFailure.class);
  }

  @Test
  void inATestNobodyWaitsForTheRestartGuardOfAFreshServer() {
    try (LockClient client =
        Holdfast.builder()
            .withoutRestartGuard()
            .connect(RedisLocks.on(jedis, namespace.prefix()))) {
      assertThat(client.lock("a").tryAcquire()).isPresent();
    }
  }

  /** It reconnects unnoticed by the backend, so every script has to check the incarnation. */
  @Test
  void aRestartThatMayLoseGrantsIsNoticedByWhateverComesFirst() {
    // given
    LockBackend backend = backend();
    SessionId former = session(backend);
    namespace.endGuard();
    long number = take(backend, request(former, "a", IfHeld.REFUSE)).number();
    server.restart();
    jedis.getPool().clear();

    // when
    Attempt attempt = backend.grab(request(former, "b", IfHeld.REFUSE), soon());

    // then
    assertThat(attempt).isEqualTo(new Attempt.SessionOver());
    assertThat(backend.renew(former, soon())).isEqualTo(new Renewed.Over());
    SessionId mine = session(backend);
    assertThat(backend.grab(request(mine, "b", IfHeld.REFUSE), soon()))
        .isInstanceOf(Attempt.Delayed.class);
    namespace.endGuard();
    take(backend, request(mine, "b", IfHeld.REFUSE));
    assertThat(
            backend
                .inspect(request(mine, "a", IfHeld.REFUSE).name(), soon())
                .orElseThrow()
                .number())
        .isEqualTo(number);
  }

  @Test
  void aServerThatCannotBeUsedIsRefused() {
    server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");

    assertThatThrownBy(this::backend)
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("maxmemory-policy");
  }

  @Test
  void recordsOfAnotherVersionAreRefused() {
    SessionId unused = session(backend());
    server.command("HSET", namespace.key("namespace"), "protocol", "99");

    assertThatThrownBy(this::backend)
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("protocol version 99");
  }
}
