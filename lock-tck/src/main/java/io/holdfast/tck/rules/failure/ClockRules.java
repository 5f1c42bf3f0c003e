package io.holdfast.tck.rules.failure;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static io.holdfast.tck.fixture.StoreFixture.MAX_CLOCK_STEP;
import static io.holdfast.tck.fixture.StoreFixture.SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.record.Liveness;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.EngineSteps;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.RealClockControl;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The store's clock steps: within the bound it costs nothing, beyond it never an hour. */
@Topic(value = "CLK", level = Level.TIME, clause = "docs/guarantees.md, Clocks")
public interface ClockRules extends SpiRules {

  /** So far that no slow machine comes near it. */
  Duration WIDE_STEP = Duration.ofSeconds(40);

  /** So many that a TTL has long passed, and far from an hour. */
  int LOOKS = 100;

  /** Of a holder that renews on a slow machine, too. */
  Duration BRIEF = Duration.ofSeconds(4);

  /** Of sessions whose time passes by one clock and not by another. */
  Duration TTL = Duration.ofSeconds(1);

  private SpiClient clientOfWideStep(Duration ttl) {
    return fixture()
        .client(
            new BackendOptions(
                new NamespaceWish(OptionalInt.of(1), Optional.empty(), Optional.of(WIDE_STEP)),
                RestartGuard.ON),
            ttl);
  }

  @Test
  @Rule("HF-CLK-01")
  @Disturbs(ClockControl.class)
  default void aStepForwardWithinTheBoundEndsNoSession() {
    ClockControl clock = fixture().control(ClockControl.class);
    SpiClient client = clientOfWideStep(LONG);
    SpiClient other = client.on(fixture().connect(BackendOptions.DEFAULTS));
    client.hold(LOCK);

    // A whole TTL has passed by now; the rest of the lease is the bound.
    clock.stepClock(LONG);
    assertThat(other.holder(LOCK).liveness()).isEqualTo(Liveness.LIVE);
    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.ALIVE);

    clock.stepClock(WIDE_STEP);
    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
  }

  @Test
  @Rule("HF-CLK-02")
  @Disturbs(ClockControl.class)
  default void aStepForwardWithinTheBoundDoesNotMakeARevocationDue() {
    ClockControl clock = fixture().control(ClockControl.class);
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

  /** A renewal in the store's future is rewritten by the client that sees it. */
  @Test
  @Rule(value = "HF-CLK-03", marked = 7)
  @Disturbs(ClockControl.class)
  default void aClockSetBackCostsOneMoreTtlAndNotAnHour() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    ClockControl clock = fixture().control(ClockControl.class);
    SpiClient dead = fixture().client(SHORT);
    Held held = dead.hold(LOCK);
    SpiClient other = fixture().client();

    clock.stepClock(Duration.ofHours(-1));
    assertThat(other.refused(LOCK).liveness()).isEqualTo(Liveness.LAPSED);
    assertThat(dead.on(other.backend()).end(EndIf.LAPSED)).isEqualTo(Ended.ALIVE);
    fixture().lapse();

    assertThat(dead.on(other.backend()).end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
    other.renewed();
    other.overtake(held.observed());
  }

  /** Also where no request waits and looks: a client that only tries sees it, too. */
  @Test
  @Rule(value = "HF-CLK-06", marked = 7)
  @Disturbs(ClockControl.class)
  default void aRevocationIsDueAfterATtlAlthoughTheClockWasSetBack() {
    ClockControl clock = fixture().control(ClockControl.class);
    SpiClient holder = fixture().client(BRIEF);
    Held held = holder.hold(LOCK);
    SpiClient other = fixture().client();
    other.revoke(held.observed(), RevokeWhen.SAFELY);

    clock.stepClock(Duration.ofHours(-1));
    holder.renewed();
    other.renewed();
    Liveness seen = other.refused(LOCK).liveness();
    for (int i = 0; i < LOOKS && seen != Liveness.REVOCATION_DUE; i++) {
      fixture().elapse(BRIEF.dividedBy(3));
      holder.renewed();
      seen = other.refused(LOCK).liveness();
    }

    assertThat(seen).isEqualTo(Liveness.REVOCATION_DUE);
    other.overtake(held.observed());
  }

  @Test
  @Rule("HF-CLK-04")
  @Disturbs(ClockControl.class)
  default void aSessionRenewsAfterTheClockWasSetBack() {
    ClockControl clock = fixture().control(ClockControl.class);
    SpiClient client = fixture().client();
    SpiClient other = client.on(fixture().connect());

    clock.stepClock(Duration.ofHours(-1));
    client.renewed();
    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.ALIVE);
    clock.stepClock(LONG.multipliedBy(2));

    assertThat(other.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
    assertThat(client.renew()).isEqualTo(new Renewed.Over());
  }

  /** Beyond the bound exclusivity may suffer for a TTL, but no client is stuck, and tokens rise. */
  @Test
  @Rule("HF-CLK-05")
  @Disturbs(ClockControl.class)
  default void aStepBeyondTheBoundStrandsNobody() {
    ClockControl clock = fixture().control(ClockControl.class);
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    clock.stepClock(Duration.ofDays(400));
    SpiClient other = fixture().client();

    assertThat(holder.on(other.backend()).end(EndIf.LAPSED)).isEqualTo(Ended.OVER);

    assertThat(EngineSteps.take(other, LOCK).number()).isGreaterThan(held.number());
    assertThat(holder.renew()).isEqualTo(new Renewed.Over());
  }

  /**
   * No two machines agree about the time: a client that judged by its own clock would end a session
   * whose client still believes.
   */
  @Test
  @Rule("HF-CLK-07")
  @Disturbs(RealClockControl.class)
  default void whetherASessionHasLapsedIsJudgedByTheStoresClockAlone() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    RealClockControl clock = fixture().control(RealClockControl.class);
    LockBackend other = fixture().connect();
    Duration lease = TTL.plus(MAX_CLOCK_STEP);

    // By the clock of the client that asks the lease has run out, by the store's it has hardly
    // begun.
    StoreFixture.holdsWithin(
        lease.plus(TTL.dividedBy(2)),
        "a session is alive whose lease has not run out by the store's clock",
        () -> fixture().client(TTL),
        client -> {
          client.renewed();
          StoreFixture.pass(lease.plusMillis(50));
          clock.stepClock(TTL.negated());
          return client.on(other).end(EndIf.LAPSED) == Ended.ALIVE;
        });

    // And the other way round: the lease has run out by the store's clock and by no other.
    SpiClient client = fixture().client(TTL);
    clock.stepClock(Duration.ofHours(1));
    assertThat(client.on(other).end(EndIf.LAPSED))
        .as("a session whose lease has run out by the store's clock")
        .isEqualTo(Ended.OVER);
  }
}
