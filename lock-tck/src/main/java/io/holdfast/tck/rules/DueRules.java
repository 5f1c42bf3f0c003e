package io.holdfast.tck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Request;
import io.holdfast.tck.report.Level;
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

  /** Half of what is left of a TTL in tests may pass on a slow machine. */
  Duration LEASE = Bench.LONG.plus(Bench.MAX_CLOCK_STEP);

  @Test
  @Rule("HF-DUE-01")
  default void aWaiterLearnsWhenItsHolderFallsDue() {
    SpiClient holder = bench().client(Bench.LONG);
    holder.hold(LOCK);
    SpiClient waiter = bench().client();
    Request waits = waiter.queue(LOCK);

    requireAboutTheLease(waiter.waiting(waits).nextDue());
  }

  @Test
  @Rule("HF-DUE-02")
  default void aNewcomerLearnsWhenTheHolderFallsDue() {
    SpiClient holder = bench().client(Bench.LONG);
    holder.hold(LOCK);
    SpiClient other = bench().client();

    Attempt attempt = other.grab(other.request(LOCK));

    assertThat(attempt).isInstanceOf(Attempt.Refused.class);
    requireAboutTheLease(((Attempt.Refused) attempt).nextDue());
  }

  private void requireAboutTheLease(Optional<Duration> due) {
    if (due.isPresent() || bench().capabilities().expiry() == Expiry.BY_OTHERS) {
      assertThat(due.orElseThrow())
          .isBetween(LEASE.dividedBy(2), LEASE.plus(Bench.MAX_CLOCK_STEP.multipliedBy(2)));
    }
  }

  @Test
  @Rule("HF-DUE-03")
  default void aWaiterFurtherBehindLearnsWhenTheOneBeforeItFallsDue() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    bench().client(Bench.LONG.multipliedBy(2)).hold(LOCK);
    bench().client(Bench.LONG).queue(LOCK);
    SpiClient last = bench().client();
    Request waits = last.queue(LOCK);

    requireAboutTheLease(last.waiting(waits).nextDue());
  }

  @Test
  @Rule("HF-DUE-04")
  default void aRevocationFallsDueBeforeALeaseThatIsRenewed() {
    SpiClient holder = bench().client(Bench.LONG);
    Held held = holder.hold(LOCK);
    SpiClient waiter = bench().client();
    Request waits = waiter.queue(LOCK);
    Duration remaining =
        ((Revocation.Marked) waiter.revoke(held.observed(), RevokeWhen.SAFELY)).remaining();
    Duration passes = Duration.ofSeconds(2);
    bench().elapse(passes);
    holder.renewed();

    Duration due = waiter.waiting(waits).nextDue().orElseThrow();

    assertThat(due).isPositive();
    // Half of what has passed is left to stores that count in whole seconds.
    assertThat(due).isLessThanOrEqualTo(remaining.minus(passes.dividedBy(2)));
  }

  @Test
  @Rule("HF-DUE-05")
  default void whatHasFallenDueIsAnObstacleWithoutATime() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    SpiClient holder = bench().client(Bench.SHORT);
    holder.hold(LOCK);
    SpiClient waiter = bench().client();
    Request waits = waiter.queue(LOCK);
    bench().lapse();

    assertThat(waiter.waiting(waits).obstacles()).hasSize(1);
    assertThat(waiter.waiting(waits).nextDue()).isEmpty();
  }
}
