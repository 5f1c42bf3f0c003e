package io.holdfast.tck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.Request;
import io.holdfast.tck.store.ClockControl;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Deleting what nobody needs any more: nothing that is held, awaited or alive. */
public interface SweepRules extends SpiRules {

  Duration OVER_A_DAY = Duration.ofHours(25);

  /** Sweeps until nothing is left to sweep. */
  static int sweepAll(SpiClient client) {
    int total = 0;
    int swept;
    do {
      swept = client.backend().sweep(Bench.soon());
      total += swept;
    } while (swept > 0);
    return total;
  }

  @Test
  default void nothingIsSweptWhereNothingIsOld() {
    SpiClient client = bench().client();
    client.release(client.hold(LOCK));

    sweepAll(client);

    client.renewed();
    client.hold(LOCK);
  }

  @Test
  default void aRecordThatWasFreeForADayIsGone() {
    ClockControl clock = bench().control(ClockControl.class);
    SpiClient client = bench().client();
    for (int i = 0; i < 20; i++) {
      client.release(client.hold(new LockName("orders/" + i)));
    }

    clock.stepClock(OVER_A_DAY);
    SpiClient sweeper = bench().client();
    sweepAll(sweeper);

    for (int i = 0; i < 20; i++) {
      assertThat(sweeper.inspect(new LockName("orders/" + i))).isEmpty();
    }
    sweeper.renewed();
  }

  @Test
  default void aLockThatIsHeldOrAwaitedIsNotSwept() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    ClockControl clock = bench().control(ClockControl.class);
    SpiClient holder = bench().client();
    SpiClient waiter = bench().client();
    Held held = holder.hold(LOCK);
    Request waits = waiter.queue(LOCK);

    clock.stepClock(OVER_A_DAY);
    holder.renewed();
    waiter.renewed();
    sweepAll(holder);

    assertThat(holder.holding(held.request())).isEqualTo(held);
    holder.release(held);
    waiter.holding(waits);
  }

  @Test
  default void aSessionThatLapsedADayAgoIsGone() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    ClockControl clock = bench().control(ClockControl.class);
    SpiClient client = bench().client();
    Held held = client.hold(LOCK);
    clock.stepClock(OVER_A_DAY);
    SpiClient sweeper = bench().client();

    assertThat(sweepAll(sweeper)).isPositive();

    assertThat(client.renew()).isEqualTo(new Renewed.Over());
    assertThat(client.grab(client.request(LOCK))).isEqualTo(new Attempt.SessionOver());
    assertThat(Patience.take(sweeper, LOCK).number()).isGreaterThan(held.number());
  }

  /** Else every lock whose holder died and that nobody wants any more would stay for ever. */
  @Test
  default void aLockWhoseHolderDiedIsGoneInTheEnd() {
    ClockControl clock = bench().control(ClockControl.class);
    bench().client().hold(LOCK);

    for (int day = 0; day < 4; day++) {
      clock.stepClock(OVER_A_DAY);
      sweepAll(bench().client());
    }

    assertThat(bench().client().inspect(LOCK)).isEmpty();
  }

  @Test
  default void aSessionThatLapsedAnHourAgoIsNotSwept() {
    bench().requireExpiry(Expiry.BY_OTHERS);
    ClockControl clock = bench().control(ClockControl.class);
    SpiClient client = bench().client();
    clock.stepClock(Duration.ofHours(1));

    sweepAll(bench().client());

    client.renewed();
  }
}
