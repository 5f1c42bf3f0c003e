package io.holdfast.tck.rules.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Attempt.Delayed;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import java.time.Duration;

/** Steps of rules on a store whose restart guard runs. */
final class GuardSteps {

  /** The namespace's greatest TTL, and so the length of the restart guard. */
  static final Duration GUARD = Duration.ofSeconds(8);

  private GuardSteps() {}

  static SpiClient client(StoreFixture fixture) {
    return fixture.client(StoreFixture.options(GUARD), GUARD);
  }

  static Delayed delayed(Attempt attempt) {
    assertThat(attempt).isInstanceOf(Delayed.class);
    return (Delayed) attempt;
  }

  static void outlastAny(StoreFixture fixture, SpiClient waiting) {
    if (fixture.capabilities().losses() == Losses.GUARDED) {
      outlast(fixture, delayed(waiting.grab(waiting.request(SpiRules.LOCK))), waiting);
    }
  }

  static void outlast(StoreFixture fixture, Delayed delayed, SpiClient waiting) {
    Duration half = delayed.remaining().dividedBy(2);
    fixture.elapse(half);
    waiting.renewed();
    fixture.elapse(half.plusMillis(100));
    waiting.renewed();
  }
}
