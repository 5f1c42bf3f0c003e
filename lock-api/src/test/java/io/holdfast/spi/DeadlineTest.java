package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DeadlineTest {

  @Test
  void aTimeMayBeLongerThanNanosecondsCanCount() {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    Deadline deadline = Deadline.in(Duration.ofSeconds(Long.MAX_VALUE), nanos::get);

    nanos.addAndGet(Duration.ofDays(365).toNanos());

    assertThat(deadline.hasPassed()).isFalse();
    assertThat(deadline.remaining()).isGreaterThan(Duration.ofDays(365));
    assertThat(deadline.remainingMillis()).isEqualTo(Integer.MAX_VALUE);
  }
}
