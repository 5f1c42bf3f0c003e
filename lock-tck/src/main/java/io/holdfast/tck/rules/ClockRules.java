package io.holdfast.tck.rules;

import static io.holdfast.tck.rules.Bench.LONG;
import static io.holdfast.tck.rules.Bench.SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Liveness;
import io.holdfast.RevokeWhen;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Renewed;
import io.holdfast.tck.store.ClockControl;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The store's clock steps: within the bound it costs nothing, beyond it never an hour. */
public interface ClockRules extends SpiRules {

  /** So far that no slow machine comes near it. */
  Duration WIDE_STEP = Duration.ofSeconds(40);

  private SpiClient clientOfWideStep(Duration ttl) {
    return bench()
        .client(
            new BackendOptions(
                new NamespaceWish(OptionalInt.of(1), Optional.empty(), Optional.of(WIDE_STEP)),
                RestartGuard.ON),
            ttl);
  }

  @Test
  default void aStepForwardWithinTheBoundEndsNoSession() {
    ClockControl clock = bench().control(ClockControl.class);
    SpiClient client = clientOfWideStep(LONG);
    SpiClient other = client.on(bench().connect(BackendOptions.DEFAULTS));
    client.hold(LOCK);

    // A whole TTL has passed by now; what is left of the lease is the bound.
    clock.stepClock(LONG);
    assertThat(other.holder(LOCK).liveness()).isEqualTo(Liveness.LIVE);
    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.ALIVE);

    clock.stepClock(WIDE_STEP);
    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
  }

  @Test
  default void aStepForwardWithinTheBoundDoesNotMakeARevocationDue() {
    ClockControl clock = bench().control(ClockControl.class);
    SpiClient holder = clientOfWideStep(LONG);
    Held held = holder.hold(LOCK);
    SpiClient other = clientOfWideStep(LONG);
    other.revoke(held.observed(), RevokeWhen.SAFELY);

    clock.stepClock(LONG);
    holder.renewed();
    other.renewed();
    assertThat(other.overtake(other.request(LOCK), held.observed()))
        .isInstanceOf(Attempt.Refused.class);

    clock.stepClock(WIDE_STEP);
    holder.renewed();
    other.renewed();
    assertThat(other.overtake(held.observed()).number()).isGreaterThan(held.number());
  }

  /** A renewal in the store's future is rewritten by whoever sees it. */
  @Test
  default void aClockSetBackCostsOneMoreTtlAndNotAnHour() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    ClockControl clock = bench().control(ClockControl.class);
    SpiClient dead = bench().client(SHORT);
    Held held = dead.hold(LOCK);
    SpiClient other = bench().client();

    clock.stepClock(Duration.ofHours(-1));
    assertThat(other.refused(LOCK).liveness()).isEqualTo(Liveness.LAPSED);
    assertThat(dead.on(other.backend()).end(EndIf.LAPSED)).isEqualTo(Ended.ALIVE);
    bench().lapse();

    assertThat(dead.on(other.backend()).end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
    other.renewed();
    other.overtake(held.observed());
  }

  @Test
  default void aSessionRenewsAfterTheClockWasSetBack() {
    ClockControl clock = bench().control(ClockControl.class);
    SpiClient client = bench().client();
    SpiClient other = client.on(bench().connect());

    clock.stepClock(Duration.ofHours(-1));
    client.renewed();
    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.ALIVE);
    clock.stepClock(LONG.multipliedBy(2));

    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
    assertThat(client.renew()).isEqualTo(new Renewed.Over());
  }

  /** Beyond the bound exclusivity may suffer for a TTL, but nobody is stuck, and tokens rise. */
  @Test
  default void aStepBeyondTheBoundStrandsNobody() {
    ClockControl clock = bench().control(ClockControl.class);
    SpiClient holder = bench().client();
    Held held = holder.hold(LOCK);
    clock.stepClock(Duration.ofDays(400));
    SpiClient other = bench().client();

    assertThat(holder.on(other.backend()).end(EndIf.LAPSED)).isEqualTo(Ended.OVER);

    assertThat(Patience.take(other, LOCK).number()).isGreaterThan(held.number());
    assertThat(holder.renew()).isEqualTo(new Renewed.Over());
  }
}
