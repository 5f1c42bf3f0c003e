package io.holdfast.tck.rules.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.EngineSteps;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.RestartControl;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Deleting records that no client needs any more: nothing that is held, awaited or alive. */
@Topic(value = "SWP", level = Level.TIME, clause = "LockBackend.sweep")
public interface SweepRules extends SpiRules {

  Duration OVER_A_DAY = Duration.ofHours(25);

  Duration FAR_AHEAD = Duration.ofDays(3);

  int MORE_THAN_A_SWEEP = 600;

  /** Sweeps until nothing is left to sweep. */
  static int sweepAll(SpiClient client) {
    int total = 0;
    int swept;
    do {
      swept = client.backend().sweep(StoreFixture.soon());
      total += swept;
    } while (swept > 0);
    return total;
  }

  @Test
  @Rule("HF-SWP-01")
  default void nothingIsSweptWhereNothingIsOld() {
    SpiClient client = fixture().client();
    client.release(client.hold(LOCK));

    sweepAll(client);

    client.renewed();
    client.hold(LOCK);
  }

  @Test
  @Rule("HF-SWP-02")
  @Disturbs(ClockControl.class)
  default void aRecordThatWasFreeForADayIsGone() {
    ClockControl clock = fixture().control(ClockControl.class);
    SpiClient client = fixture().client();
    for (int i = 0; i < 20; i++) {
      client.release(client.hold(new LockName("orders/" + i)));
    }

    clock.stepClock(OVER_A_DAY);
    SpiClient sweeper = fixture().client();
    sweepAll(sweeper);

    for (int i = 0; i < 20; i++) {
      assertThat(sweeper.inspect(new LockName("orders/" + i))).isEmpty();
    }
    sweeper.renewed();
  }

  /** More than any sweep deletes at once: the next one goes on where it has stopped. */
  @Test
  @Rule("HF-SWP-07")
  @Disturbs(ClockControl.class)
  default void manyRecordsThatWereFreeForADayAreGoneThoughASweepIsBounded() {
    ClockControl clock = fixture().control(ClockControl.class);
    SpiClient client = fixture().client();
    for (int i = 0; i < MORE_THAN_A_SWEEP; i++) {
      client.release(client.hold(new LockName("orders/" + i)));
    }

    clock.stepClock(OVER_A_DAY);
    SpiClient sweeper = fixture().client();
    sweepAll(sweeper);

    for (int i = 0; i < MORE_THAN_A_SWEEP; i++) {
      assertThat(sweeper.inspect(new LockName("orders/" + i))).isEmpty();
    }
  }

  @Test
  @Rule("HF-SWP-03")
  @Disturbs(ClockControl.class)
  default void aLockThatIsHeldOrAwaitedIsNotSwept() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    ClockControl clock = fixture().control(ClockControl.class);
    SpiClient holder = fixture().client();
    SpiClient waiter = fixture().client();
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
  @Rule("HF-SWP-04")
  @Disturbs(ClockControl.class)
  default void aSessionThatLapsedADayAgoIsGone() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    ClockControl clock = fixture().control(ClockControl.class);
    SpiClient client = fixture().client();
    Held held = client.hold(LOCK);
    clock.stepClock(OVER_A_DAY);
    SpiClient sweeper = fixture().client();

    assertThat(sweepAll(sweeper)).isPositive();

    assertThat(client.renew()).isEqualTo(new Renewed.Over());
    assertThat(client.grab(client.request(LOCK))).isEqualTo(new Attempt.SessionOver());
    assertThat(EngineSteps.take(sweeper, LOCK).number()).isGreaterThan(held.number());
  }

  /** Else every lock whose holder died and that no client wants any more would stay for ever. */
  @Test
  @Rule("HF-SWP-05")
  @Disturbs(ClockControl.class)
  default void aLockWhoseHolderDiedIsGoneInTheEnd() {
    ClockControl clock = fixture().control(ClockControl.class);
    fixture().client().hold(LOCK);

    for (int day = 0; day < 4; day++) {
      clock.stepClock(OVER_A_DAY);
      sweepAll(fixture().client());
    }

    assertThat(fixture().client().inspect(LOCK)).isEmpty();
  }

  @Test
  @Rule("HF-SWP-06")
  @Disturbs(ClockControl.class)
  default void aSessionThatLapsedAnHourAgoIsNotSwept() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    ClockControl clock = fixture().control(ClockControl.class);
    SpiClient client = fixture().client();
    clock.stepClock(Duration.ofHours(1));

    sweepAll(fixture().client());

    client.renewed();
  }

  /**
   * Else every record written by a clock far ahead would count as young for as long. A store may
   * keep a record whose number the clock has not passed, by a day, so that is waited for; times of
   * the future would keep the requests of dead clients for a day more.
   */
  @Test
  @Rule("HF-SWP-08")
  @Disturbs(ClockControl.class)
  default void whatAClockFarAheadHasLeftIsGoneInTheEnd() {
    ClockControl clock = fixture().control(ClockControl.class);
    LockName free = new LockName("free");
    LockName dead = new LockName("dead");
    SpiClient sweeper = fixture().client();
    clock.stepClock(FAR_AHEAD);
    // Not before: a store may end such an old session by itself.
    SpiClient ahead = fixture().client();
    ahead.release(ahead.hold(free));
    ahead.hold(dead);
    clock.stepClock(FAR_AHEAD.negated());

    sweepAll(sweeper);
    for (int day = 1; day <= FAR_AHEAD.toDays() + 1; day++) {
      clock.stepClock(OVER_A_DAY);
      sweepAll(sweeper);
    }

    assertThat(sweeper.inspect(free)).as("the record of a lock that was given back").isEmpty();
    assertThat(sweeper.inspect(dead)).as("the record of a lock whose holder died").isEmpty();
  }

  /** By whose clock did it lapse? A client that is alive renews within a TTL of the restart. */
  @Test
  @Rule("HF-SWP-09")
  @Disturbs({RestartControl.class, ClockControl.class})
  default void aSessionOfAnotherIncarnationIsNotSweptBeforeItCanRenew() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    ClockControl clock = fixture().control(ClockControl.class);
    RestartControl restart = fixture().control(RestartControl.class);
    NotApplicableException.unless(
        restart.holdersLiveOn(), "What starts this store again ends all holders, too.");
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);

    clock.stepClock(OVER_A_DAY);
    restart.restartLosingNothing();
    SpiClient sweeper = fixture().client();
    sweepAll(sweeper);

    SpiClient after = holder.on(sweeper.backend());
    after.renewed();
    assertThat(after.holding(held.request())).isEqualTo(held);
  }
}
