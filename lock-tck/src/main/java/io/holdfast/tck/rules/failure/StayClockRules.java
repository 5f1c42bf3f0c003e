package io.holdfast.tck.rules.failure;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.record.Liveness;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.rules.session.SweepRules;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.RestartControl;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Stays, and another clock: a stay is only compared with the clock that wrote its beginning. */
@Topic(value = "STK", level = Level.LOSS, clause = "LockBackend.overtake: stays begin anew")
public interface StayClockRules extends SpiRules {

  /** A stay that rules wait for. */
  Duration BRIEF = Duration.ofSeconds(2);

  /** So many looks are enough, with a part of the stay between two of them. */
  int LOOKS = 100;

  /** One lets the stay begin again, one ends it; a store may need one more for the record. */
  int SWEEPS = 4;

  private Held stays(SpiClient owner, Duration stay) {
    Held held = owner.hold(LOCK);
    assertThat(owner.releaseAfter(held.request(), stay)).isEqualTo(Released.STAYS);
    return held;
  }

  @Test
  @Rule(value = "HF-STK-01", marked = 7)
  @Disturbs({RestartControl.class, ClockControl.class})
  default void aStayOfAnotherIncarnationIsNotOverBecauseTheClockIsAnother() {
    fixture().requireStays(Stays.AT_LEAST);
    ClockControl clock = fixture().control(ClockControl.class);
    RestartControl restart = fixture().control(RestartControl.class);
    NotApplicableException.unless(
        restart.holdersLiveOn(), "What starts this store again ends all holders, too.");
    Held held = stays(fixture().client(), LONG);

    clock.stepClock(Duration.ofHours(1));
    restart.restartLosingNothing();

    SpiClient other = fixture().client();
    assertThat(other.refused(LOCK).request()).isEqualTo(held.request().id());
    assertThat(other.overtake(other.request(LOCK), held.observed()))
        .isInstanceOf(Attempt.Refused.class);
    assertThat(other.refused(LOCK).liveness()).isEqualTo(Liveness.STAYING);
  }

  @Test
  @Rule(value = "HF-STK-02", marked = 7)
  @Disturbs(ClockControl.class)
  default void aStayEndsAlthoughTheClockWasSetBack() {
    fixture().requireStays(Stays.AT_LEAST);
    ClockControl clock = fixture().control(ClockControl.class);
    Held held = stays(fixture().client(), BRIEF);
    SpiClient other = fixture().client();

    clock.stepClock(Duration.ofHours(-1));
    other.renewed();
    Request request = other.request(LOCK);
    Attempt attempt = other.overtake(request, held.observed());
    for (int i = 0; i < LOOKS && !(attempt instanceof Attempt.Granted); i++) {
      fixture().elapse(BRIEF.dividedBy(3));
      other.renewed();
      attempt = other.overtake(request, held.observed());
    }

    assertThat(attempt).isInstanceOf(Attempt.Granted.class);
  }

  @Test
  @Rule("HF-STK-04")
  @Disturbs(ClockControl.class)
  default void whatHasStayedForItsTimeIsSweptInTheEnd() {
    fixture().requireStays(Stays.AT_LEAST);
    ClockControl clock = fixture().control(ClockControl.class);
    stays(fixture().client(), BRIEF);

    clock.stepClock(Duration.ofDays(3));
    SpiClient other = fixture().client();
    for (int i = 0; i < LOOKS && !other.isFree(LOCK); i++) {
      int unused = other.backend().sweep(StoreFixture.soon());
    }

    other.requireFree(LOCK);
    other.hold(LOCK);
  }

  /** No request asks for the lock any more: only a sweep sees that the stay has to begin again. */
  @Test
  @Rule("HF-STK-05")
  @Disturbs({RestartControl.class, ClockControl.class})
  default void whatStaysOfAnotherIncarnationIsSweptInTheEnd() {
    fixture().requireStays(Stays.AT_LEAST);
    ClockControl clock = fixture().control(ClockControl.class);
    RestartControl restart = fixture().control(RestartControl.class);
    stays(fixture().client(), BRIEF);

    restart.restartLosingNothing();
    SpiClient other = fixture().client();
    for (int i = 0; i < SWEEPS; i++) { // A look between may let it begin again, too.
      clock.stepClock(Duration.ofDays(2));
      SweepRules.sweepAll(other);
    }

    other.requireFree(LOCK);
  }

  /** Its stay in the queue may have begun again before, or not: the holder gives up at once. */
  @Test
  @Rule(value = "HF-STK-03", marked = 21)
  @Disturbs(ClockControl.class)
  default void aNoticeLeavesNoMoreTimeWhenTheClockIsSetBack() {
    fixture().requireStays(Stays.REVOKE_LATER);
    ClockControl clock = fixture().control(ClockControl.class);
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    holder.backend().revokeIn(held.observed(), LONG, StoreFixture.soon());

    clock.stepClock(Duration.ofHours(-1));

    assertThat(holder.renewed().notices())
        .singleElement()
        .isInstanceOfSatisfying(
            Notice.Revoked.class, told -> assertThat(told.left()).isLessThanOrEqualTo(LONG));
  }
}
