package io.holdfast.mongo.clock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.mongo.clock.ClockReading.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClockReadingTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration SKEW = Duration.ofSeconds(5);
  private static final String PRIMARY = "primary";

  private static Verdict judge(Instant from, Duration skew) {
    return new ClockReading(NOON, Optional.of(PRIMARY), Duration.ZERO, skew)
        .judge(from, PRIMARY, TTL);
  }

  /** As behind a mongos whose clock is behind that of the shard that recorded the time. */
  @Test
  void aTimeThatSeemsToBeginInTheFutureIsRunningWithinTheSkew() {
    assertThat(judge(NOON.plusMillis(300), SKEW)).isEqualTo(Verdict.RUNNING);
    assertThat(judge(NOON.plus(SKEW), SKEW)).isEqualTo(Verdict.RUNNING);
  }

  /** The clock may have been set back, and then it is not known how much has passed. */
  @Test
  void aTimeThatBeginsInTheFutureIsDoubtfulBeyondTheSkew() {
    assertThat(judge(NOON.plus(SKEW).plusMillis(1), SKEW)).isEqualTo(Verdict.DOUBTFUL);
    assertThat(judge(NOON.plusMillis(1), Duration.ZERO)).isEqualTo(Verdict.DOUBTFUL);
  }

  @Test
  void aTimeHasPassedOnlyWhenTheSkewHasPassedToo() {
    assertThat(judge(NOON.minus(TTL).minus(SKEW), SKEW)).isEqualTo(Verdict.RUNNING);
    assertThat(judge(NOON.minus(TTL).minus(SKEW).minusMillis(1), SKEW)).isEqualTo(Verdict.PASSED);
  }

  @Test
  void aTimeOfAnotherIncarnationIsDoubtful() {
    ClockReading clock = new ClockReading(NOON, Optional.of("other"), Duration.ZERO, SKEW);

    assertThat(clock.judge(NOON, PRIMARY, TTL)).isEqualTo(Verdict.DOUBTFUL);
  }
}
