package io.holdfast.redis.queue;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.redis.StoredLock;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.RespFraming;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisPooled;

/** What a sweep makes of times that cannot be. */
class RedisSweepTest extends RedisServerTestBase {

  private static final Duration YEARS = Duration.ofDays(3000);
  private static final Duration OVER_A_DAY = Duration.ofHours(25);
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration EACH_WAY = Duration.ofMillis(25);

  /** Which take some ten round trips. */
  private static final int NAMES = 2_000;

  /** Else it would stay until the clock is there again. */
  @Test
  void whatAClockFarAheadLeftIsGoneInTheEnd() {
    LockBackend ahead = backend();
    Request free = request(session(ahead), "free", IfHeld.REFUSE);
    Request dead = request(session(ahead), "dead", IfHeld.REFUSE);
    take(ahead, free);
    ahead.release(free.name(), free.id(), soon());
    take(ahead, dead);
    namespace.moveTimes(YEARS);

    for (int days = 0; days < 4; days++) {
      ahead.sweep(soon());
      namespace.moveTimes(OVER_A_DAY.negated());
    }
    ahead.sweep(soon());

    assertThat(ahead.inspect(free.name(), soon())).isEmpty();
    assertThat(ahead.inspect(dead.name(), soon())).isEmpty();
  }

  /** Where the server is far away. */
  @Test
  void whatDoesNotFitIntoOneCallIsSweptByTheNext() {
    LockBackend backend = backend();
    Request dead = request(session(backend), "z", IfHeld.REFUSE);
    take(backend, dead);
    namespace.moveTimes(OVER_A_DAY.negated());
    SessionId lives = session(backend);
    for (int i = 0; i < NAMES; i++) {
      take(backend, request(lives, "a" + i, IfHeld.REFUSE));
    }

    try (NetworkProxy network = NetworkProxy.to(server.port(), RespFraming::new);
        LockBackend far = namespace.backend(namespace.uri(network.port()))) {
      far.inspect(dead.name(), soon());
      network.delay(EACH_WAY);
      await()
          .atMost(TIMEOUT)
          .ignoreExceptionsInstanceOf(BackendFailure.class)
          .until(() -> far.sweep(Deadline.in(EACH_WAY.multipliedBy(16))) == 0);
    }

    assertThat(backend.inspect(dead.name(), soon())).isEmpty();
  }

  /** The server was restarted, and its clock is right now. */
  @Test
  void whatWasRenewedByAnotherClockIsNotTakenForLapsed() {
    LockBackend backend = backend();
    SessionId lives = session(backend);
    Request held = request(lives, "held", IfHeld.REFUSE);
    take(backend, held);
    try (JedisPooled jedis = new JedisPooled("127.0.0.1", server.port())) {
      String stored = namespace.key("session:" + lives.value());
      String longAgo =
          StoredLock.moved(jedis.hget(stored, "renewed"), YEARS.negated().toNanos() / 1_000);
      jedis.hset(stored, Map.of("renewed", longAgo, "incarnation", "former"));
    }

    backend.sweep(soon());

    assertThat(backend.renew(lives, soon())).isInstanceOf(Renewed.Alive.class);
    assertThat(backend.inspect(held.name(), soon())).isPresent();
  }
}
