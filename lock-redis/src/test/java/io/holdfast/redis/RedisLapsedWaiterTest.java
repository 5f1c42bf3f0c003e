package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.SessionId;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.JedisPooled;

/** One who died while it waited is not let in, and so leaves no lock-delay either. */
class RedisLapsedWaiterTest extends RedisServerTestBase {

  private static final Duration DELAY = Duration.ofHours(1);

  private LockBackend backend;
  private SessionId mine;
  private SessionId dead;

  @BeforeEach
  void openSessions() {
    backend = backend();
    mine = session(backend);
    dead = session(backend);
  }

  private Request queue(Request request) {
    assertThat(backend.grab(request, soon())).isEqualTo(new Attempt.Queued());
    return request;
  }

  private void renewed(SessionId session, Map<String, String> fields) {
    try (JedisPooled jedis = new JedisPooled("127.0.0.1", server.port())) {
      jedis.hset(namespace.key("session:" + session.value()), fields);
    }
  }

  private Released release(Request request) {
    return backend.release(request.name(), request.id(), soon());
  }

  private Standing standing(Request request) {
    return backend.look(request.id().session(), List.of(request.key()), soon()).get(0);
  }

  @Test
  void aReleasePassesItBy() {
    Request held = request(mine, "a", IfHeld.QUEUE);
    take(backend, held);
    queue(request(dead, "a", IfHeld.QUEUE).lockDelay(DELAY));
    Request behind = queue(request(mine, "a", IfHeld.QUEUE));
    queue(request(dead, "a", IfHeld.QUEUE).lockDelay(DELAY));
    renewed(dead, Map.of("renewed", "1"));

    assertThat(release(held)).isEqualTo(Released.HANDED_ON);
    assertThat(standing(behind)).isInstanceOf(Standing.Holding.class);
    assertThat(release(behind)).isEqualTo(Released.FREED);
  }

  @Test
  void thoseWhoShareAreLetInWithoutIt() {
    Request held = request(mine, "a", IfHeld.QUEUE);
    take(backend, held);
    queue(request(dead, "a", IfHeld.QUEUE).with(LockMode.SHARED).lockDelay(DELAY));
    Request first = queue(request(mine, "a", IfHeld.QUEUE).with(LockMode.SHARED));
    queue(request(dead, "a", IfHeld.QUEUE).lockDelay(DELAY));
    Request second = queue(request(mine, "a", IfHeld.QUEUE).with(LockMode.SHARED));
    renewed(dead, Map.of("renewed", "1"));

    assertThat(release(held)).isEqualTo(Released.HANDED_ON);
    assertThat(standing(first)).isInstanceOf(Standing.Holding.class);
    assertThat(standing(second)).isInstanceOf(Standing.Holding.class);
    assertThat(release(first)).isEqualTo(Released.SHARED);
    assertThat(release(second)).isEqualTo(Released.FREED);
  }

  /** More of them than a hand-over passes by. */
  @Test
  void oneThatIsLetInAllTheSameLeavesNoDelay() {
    Request held = request(mine, "a", IfHeld.QUEUE);
    take(backend, held);
    for (int i = 0; i < 70; i++) {
      queue(request(dead, "a", IfHeld.QUEUE).lockDelay(DELAY));
    }
    renewed(dead, Map.of("renewed", "1"));

    assertThat(release(held)).isEqualTo(Released.HANDED_ON);

    backend.end(dead, EndIf.LAPSED, soon());
    LockRecord found = backend.inspect(held.name(), soon()).orElseThrow();
    RequestId head = found.holder().orElseThrow().request();
    assertThat(head.session()).isEqualTo(dead);
    assertThat(
            backend.overtake(
                request(mine, "a", IfHeld.REFUSE),
                new Observed(held.name(), found.number(), head),
                soon()))
        .isInstanceOf(Attempt.Granted.class);
  }

  /** After a restart that has lost nothing all seem to have lapsed, until they renew. */
  @Test
  void oneThatWasRenewedByAnotherClockIsLetIn() {
    Request held = request(mine, "a", IfHeld.QUEUE);
    take(backend, held);
    Request waits = queue(request(dead, "a", IfHeld.QUEUE));
    renewed(dead, Map.of("renewed", "1", "incarnation", "former"));

    assertThat(release(held)).isEqualTo(Released.HANDED_ON);

    assertThat(backend.renew(dead, soon())).isInstanceOf(Renewed.Alive.class);
    assertThat(standing(waits)).isInstanceOf(Standing.Holding.class);
  }
}
