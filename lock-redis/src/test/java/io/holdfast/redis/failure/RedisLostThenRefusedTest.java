package io.holdfast.redis.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.RedisNamespace;
import io.holdfast.redis.Requests;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Observed;
import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.RespFraming;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/**
 * The application's client repeats what was not answered. A script is done, its answer is lost with
 * the connection, and its repetition meets another server than it did.
 */
@Tag("server")
class RedisLostThenRefusedTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int ATTEMPTS = 3;

  /** The next answer with such a text is lost, after something was done. */
  private record Cut(String text, Runnable after) {}

  private volatile Optional<Cut> next = Optional.empty();
  private RedisServer server;
  private NetworkProxy network;
  private UnifiedJedis jedis;

  @BeforeEach
  void start() {
    server = RedisServer.launch();
    network = NetworkProxy.to(server.port(), RespFraming::new);
    network.decide(
        message -> {
          Optional<Cut> cut =
              next.filter(each -> message.isAnswer() && message.text().contains(each.text()));
          if (cut.isEmpty()) {
            return Delivery.PASS;
          }
          next = Optional.empty();
          cut.get().after().run();
          return Delivery.CUT;
        });
    jedis =
        new UnifiedJedis(
            new PooledConnectionProvider(new HostAndPort("127.0.0.1", network.port())),
            ATTEMPTS,
            TIMEOUT);
  }

  @AfterEach
  void stop() {
    jedis.close();
    network.close();
    server.close();
  }

  /** Returns a client whose session neither lapses nor is renewed in a test. */
  private LockClient client() {
    return Holdfast.builder()
        .withoutRestartGuard()
        .defaultTtl(TIMEOUT)
        .connect(RedisLocks.on(jedis));
  }

  private void cut(String text, Runnable after) {
    next = Optional.of(new Cut(text, after));
  }

  /** The lock is held by a request whose caller was told that it has failed. */
  @Test
  void aGrabThatWasDoneAndThenRefusedIsTakenBack() {
    try (LockClient one = client();
        LockClient other = Holdfast.builder().withoutRestartGuard().connect(server.uri())) {
      one.lock("before").acquire(TIMEOUT).release();
      cut("granted", () -> server.command("CONFIG", "SET", "maxmemory", "1"));

      assertThatThrownBy(() -> one.lock("a").tryAcquire())
          .isInstanceOf(BackendUnreachableException.class)
          .hasMessageContaining("is full");
      server.command("CONFIG", "SET", "maxmemory", "0");

      await().atMost(TIMEOUT.dividedBy(3)).until(() -> other.lock("a").tryAcquire().isPresent());
    }
  }

  /** The session is there, and its id tells its opener nothing. */
  @Test
  void anOpeningThatWasDoneTwiceIsFollowedByAnother() {
    try (LockClient one = client()) {
      cut("noeviction", () -> {});

      assertThat(one.lock("a").acquire(TIMEOUT).isHeld()).isTrue();
      assertThat(next).as("answers to be lost").isEmpty();
    }
  }

  /** Its repetition finds no request, as if the lock had been lost before. */
  @Test
  void aReleaseThatWasDoneTwiceIsNoLoss() {
    try (LockClient one = client()) {
      Grant held = one.lock("a").acquire(TIMEOUT);
      cut("FREED", () -> {});

      ReleaseOutcome outcome = held.release();

      assertThat(next).as("answers to be lost").isEmpty();
      assertThat(outcome).isEqualTo(ReleaseOutcome.PENDING);
      assertThat(one.lock("a").tryAcquire()).isPresent();
    }
  }

  /** Its repetition finds another holder, or none. */
  @Test
  void aRevocationThatWasDoneTwiceIsNotToldAsNone() {
    try (LockBackend backend =
        RedisLocks.on(jedis)
            .connect(
                new BackendOptions(NamespaceWish.NONE, RestartGuard.OFF), RedisNamespace.soon())) {
      Request held = Requests.request(Requests.session(backend), "a", IfHeld.REFUSE);
      Observed holder = Requests.observed(held, Requests.take(backend, held).number());
      cut("freed", () -> {});

      assertThatThrownBy(() -> backend.revoke(holder, RevokeWhen.NOW, RedisNamespace.soon()))
          .isInstanceOfSatisfying(
              BackendFailure.class,
              failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN));
      assertThat(next).as("answers to be lost").isEmpty();
      assertThat(backend.revoke(holder, RevokeWhen.NOW, RedisNamespace.soon()))
          .isEqualTo(new Revocation.Changed());
    }
  }
}
