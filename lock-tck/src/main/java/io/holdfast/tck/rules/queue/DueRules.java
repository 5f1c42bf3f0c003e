package io.holdfast.tck.rules.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A waiter learns when what stands directly ahead of it may be removed by time, so that it looks
 * then at the latest: its own heartbeat may be far away.
 */
@Topic(value = "DUE", level = Level.CORE, clause = "Standing.Waiting and Attempt.Refused: nextDue")
public interface DueRules extends SpiRules {

  /** Half of the rest of a TTL in tests may pass on a slow machine. */
  Duration LEASE = StoreFixture.LONG.plus(StoreFixture.MAX_CLOCK_STEP);

  @Test
  @Rule("HF-DUE-01")
  default void aWaiterLearnsWhenItsHolderFallsDue() {
    SpiClient holder = fixture().client(StoreFixture.LONG);
    holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);

    requireAboutTheLease(waiter.waiting(waits).nextDue());
  }

  @Test
  @Rule("HF-DUE-02")
  default void aNewcomerLearnsWhenTheHolderFallsDue() {
    SpiClient holder = fixture().client(StoreFixture.LONG);
    holder.hold(LOCK);
    SpiClient other = fixture().client();

    Attempt attempt = other.grab(other.request(LOCK));

    assertThat(attempt).isInstanceOf(Attempt.Refused.class);
    requireAboutTheLease(((Attempt.Refused) attempt).nextDue());
  }

  private void requireAboutTheLease(Optional<Duration> due) {
    if (due.isPresent() || fixture().capabilities().expiry() == Expiry.BY_OTHERS) {
      assertThat(due.orElseThrow())
          .isBetween(LEASE.dividedBy(2), LEASE.plus(StoreFixture.MAX_CLOCK_STEP.multipliedBy(2)));
    }
  }

  @Test
  @Rule("HF-DUE-03")
  default void aWaiterFurtherBehindLearnsWhenTheOneBeforeItFallsDue() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    fixture().client(StoreFixture.LONG.multipliedBy(2)).hold(LOCK);
    fixture().client(StoreFixture.LONG).queue(LOCK);
    SpiClient last = fixture().client();
    Request waits = last.queue(LOCK);

    requireAboutTheLease(last.waiting(waits).nextDue());
  }

  @Test
  @Rule("HF-DUE-04")
  default void aRevocationFallsDueBeforeALeaseThatIsRenewed() {
    SpiClient holder = fixture().client(StoreFixture.LONG);
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);
    Duration remaining =
        ((Revocation.Marked) waiter.revoke(held.observed(), RevokeWhen.SAFELY)).remaining();
    Duration passes = Duration.ofSeconds(2);
    fixture().elapse(passes);
    holder.renewed();

    Duration due = waiter.waiting(waits).nextDue().orElseThrow();

    assertThat(due).isPositive();
    // Half of what has passed is left to stores that count in whole seconds.
    assertThat(due).isLessThanOrEqualTo(remaining.minus(passes.dividedBy(2)));
  }

  @Test
  @Rule("HF-DUE-05")
  default void whatHasFallenDueIsAnObstacleWithoutATime() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient holder = fixture().client(StoreFixture.SHORT);
    holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);
    fixture().lapse();

    assertThat(waiter.waiting(waits).obstacles()).hasSize(1);
    assertThat(waiter.waiting(waits).nextDue()).isEmpty();
  }
}
