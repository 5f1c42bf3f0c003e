package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a sweep makes of times that cannot be. */
class RedisSweepTest extends RedisServerTestBase {

  private static final Duration YEARS = Duration.ofDays(3000);
  private static final Duration OVER_A_DAY = Duration.ofHours(25);

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
}
