package io.holdfast.mongo.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoreClockTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private final AtomicLong nanos = new AtomicLong(42);
  private final StoreClock clock = new StoreClock(nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void itIsBehindTheServerByOneHundredthOfTheTimeSinceItWasTold() {
    clock.observe(NOON);
    pass(Duration.ofSeconds(100));

    assertThat(clock.micros()).isEqualTo(StoreClock.micros(NOON.plusSeconds(99)));
  }

  @Test
  void itIsNearlyRightAgainAsSoonAsItIsTold() {
    clock.observe(NOON);
    pass(Duration.ofSeconds(100));
    clock.observe(NOON.plusSeconds(100));

    assertThat(clock.micros()).isEqualTo(StoreClock.micros(NOON.plusSeconds(100)));
  }

  /** A server's clock that was set back lowers no number. */
  @Test
  void itNeverGoesBack() {
    clock.observe(NOON);
    clock.observe(NOON.minusSeconds(3600));

    assertThat(clock.micros()).isEqualTo(StoreClock.micros(NOON));
  }
}
