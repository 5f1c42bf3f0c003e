package io.holdfast.tck.rules;

import static io.holdfast.tck.rules.Bench.MAX_CLOCK_STEP;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Attempt;
import io.holdfast.spi.Attempt.Delayed;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Capabilities.Event;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.Request;
import io.holdfast.tck.store.FailOverControl;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The store goes on without its last writes. Grants may be gone whose holders believe in them, so
 * nobody is granted anything until their leases have run out, and no session of before goes on.
 */
public interface FailOverRules extends SpiRules {

  /** The namespace's greatest TTL, and so the length of the restart guard. */
  Duration GUARD = Duration.ofSeconds(3);

  private SpiClient guardedClient() {
    return bench().client(Bench.options(GUARD), GUARD);
  }

  @Test
  default void nobodyIsGrantedAnythingUntilEarlierLeasesHaveRunOut() {
    FailOverControl store = bench().control(FailOverControl.class);
    SpiClient holder = guardedClient();

    store.failOverLosing(() -> holder.hold(LOCK));

    SpiClient other = guardedClient();
    Request request = other.patient(LOCK);
    Delayed delayed = delayed(other.grab(request));
    assertThat(delayed.why()).isNotBlank();
    assertThat(delayed.remaining())
        .isPositive()
        .isLessThanOrEqualTo(GUARD.plus(MAX_CLOCK_STEP.multipliedBy(2)));
    assertThat(other.isFree(LOCK)).as("a delayed request is not in the queue").isTrue();
    outlastGuard(delayed, other);
    other.hold(request);
  }

  @Test
  default void duringTheGuardNobodyIsOvertakenInto() {
    FailOverControl store = bench().control(FailOverControl.class);
    SpiClient holder = guardedClient();
    Held held = holder.hold(LOCK);

    store.failOverLosing(() -> {});

    SpiClient other = guardedClient();
    Delayed delayed = delayed(other.overtake(other.request(LOCK), held.observed()));
    outlastGuard(delayed, other);
    Patience.take(other, LOCK);
  }

  /** That it survived proves nothing about its requests: a grant may be gone without it. */
  @Test
  default void aSessionOfBeforeAFailOverIsOver() {
    FailOverControl store = bench().control(FailOverControl.class);
    SpiClient client = guardedClient();
    client.hold(LOCK);

    store.failOverLosing(() -> {});

    SpiClient after = client.on(bench().connect(Bench.options(GUARD)));
    assertThat(after.renew()).isEqualTo(new Renewed.Over());
    assertThat(after.grab(after.request(LOCK))).isEqualTo(new Attempt.SessionOver());
  }

  @Test
  default void aSessionWhoseEndWasLostIsNotBack() {
    FailOverControl store = bench().control(FailOverControl.class);
    SpiClient client = guardedClient();

    store.failOverLosing(client::closeSession);

    assertThat(client.on(bench().connect(Bench.options(GUARD))).renew())
        .isEqualTo(new Renewed.Over());
  }

  @Test
  default void aLockWhoseReleaseWasLostIsNotHeldForGood() {
    FailOverControl store = bench().control(FailOverControl.class);
    SpiClient holder = guardedClient();
    Held held = holder.hold(LOCK);

    store.failOverLosing(() -> holder.release(held));

    SpiClient other = guardedClient();
    outlastGuard(delayed(other.grab(other.request(LOCK))), other);
    assertThat(Patience.take(other, LOCK).number()).isGreaterThan(held.number());
  }

  @Test
  default void numbersRiseOverAGrantThatWasLost() {
    FailOverControl store = bench().control(FailOverControl.class);
    bench().requireTokensSurvive(Event.PARTIAL_LOSS);
    SpiClient holder = guardedClient();
    Held kept = holder.hold(LOCK);
    holder.release(kept);
    long[] lost = new long[1];

    store.failOverLosing(
        () -> {
          for (int i = 0; i < 50; i++) {
            Held held = holder.hold(LOCK);
            lost[0] = held.number();
            holder.release(held);
          }
        });

    SpiClient other = guardedClient();
    outlastGuard(delayed(other.grab(other.request(LOCK))), other);
    assertThat(other.hold(LOCK).number()).isGreaterThan(lost[0]).isGreaterThan(kept.number());
  }

  @Test
  default void numbersRiseOverTheLossOfEverything() {
    FailOverControl store = bench().control(FailOverControl.class);
    bench().requireTokensSurvive(Event.TOTAL_LOSS);
    SpiClient holder = guardedClient();
    Held lost = holder.hold(LOCK);

    store.loseEverything();

    SpiClient other = guardedClient();
    outlastGuard(delayed(other.grab(other.request(LOCK))), other);
    assertThat(other.hold(LOCK).number()).isGreaterThan(lost.number());
    assertThat(holder.on(other.backend()).renew()).isEqualTo(new Renewed.Over());
  }

  /** Whoever switches it off has been told what that means. */
  @Test
  default void withTheGuardOffNobodyWaits() {
    FailOverControl store = bench().control(FailOverControl.class);
    SpiClient holder = guardedClient();

    store.failOverLosing(() -> holder.hold(LOCK));

    BackendOptions off = new BackendOptions(Bench.options(GUARD).namespace(), RestartGuard.OFF);
    bench().client(off, GUARD).hold(LOCK);
  }

  private static Delayed delayed(Attempt attempt) {
    assertThat(attempt).isInstanceOf(Delayed.class);
    return (Delayed) attempt;
  }

  private void outlastGuard(Delayed delayed, SpiClient waiting) {
    Duration half = delayed.remaining().dividedBy(2);
    bench().elapse(half);
    waiting.renewed();
    bench().elapse(half.plusMillis(100));
    waiting.renewed();
  }
}
