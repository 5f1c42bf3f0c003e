package io.holdfast.tck.rules.failure;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static io.holdfast.tck.fixture.StoreFixture.MAX_CLOCK_STEP;
import static io.holdfast.tck.rules.failure.GuardSteps.GUARD;
import static io.holdfast.tck.rules.failure.GuardSteps.delayed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Capabilities.Event;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Attempt.Delayed;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.EngineSteps;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.NotProvedException;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.FailOverControl;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/**
 * The store goes on without its last writes. Grants may be gone whose holders believe in them, so
 * no request is granted until their leases have run out, and no session of before goes on.
 */
@Topic(value = "FOV", level = Level.LOSS, clause = "BackendOptions.RestartGuard")
public interface FailOverRules extends SpiRules {

  private void requireGuard() {
    fixture().requireLosses(EnumSet.of(Losses.GUARDED));
  }

  /** A store that never loses a grant of a living holder has nothing to end. */
  private void requireThatGrantsMayBeLost() {
    fixture().requireLosses(EnumSet.of(Losses.GUARDED, Losses.UNGUARDED));
  }

  private SpiClient guardedClient() {
    return GuardSteps.client(fixture());
  }

  @Test
  @Rule(value = "HF-FOV-01", marked = 9)
  @Disturbs({FailOverControl.class, ClockControl.class})
  @Proves(Claim.GUARDED)
  default void nobodyIsGrantedAnythingUntilEarlierLeasesHaveRunOut() {
    requireGuard();
    FailOverControl store = fixture().control(FailOverControl.class);
    SpiClient holder = guardedClient();

    store.failOverLosing(() -> holder.hold(LOCK));

    SpiClient other = guardedClient();
    Request request = other.waitingRequest(LOCK);
    Delayed delayed = delayed(other.grab(request));
    assertThat(delayed.why()).isNotBlank();
    assertThat(delayed.remaining())
        .isPositive()
        .isLessThanOrEqualTo(GUARD.plus(MAX_CLOCK_STEP.multipliedBy(2)));
    assertThat(other.isFree(LOCK)).as("a delayed request is not in the queue").isTrue();
    outlastGuard(delayed, other);
    other.hold(request);
  }

  /** What a client remembers of a lock that it gave back does not speak for what came since. */
  @Test
  @Rule(value = "HF-FOV-12", marked = 9)
  @Disturbs({FailOverControl.class, ClockControl.class})
  default void duringTheGuardAClientIsNotGrantedAgainWhatItGaveBack() {
    requireGuard();
    FailOverControl store = fixture().control(FailOverControl.class);
    SpiClient holder = guardedClient();
    SpiClient before = guardedClient();
    for (int pair = 0; pair < 2; pair++) {
      before.release(before.hold(LOCK));
    }

    store.failOverLosing(() -> holder.hold(LOCK));

    SpiClient after = sessionOnTheSameConnection(before);
    delayed(after.grab(after.request(LOCK)));
  }

  /** The connection is made anew behind it, by a call or two that fail. */
  private static SpiClient sessionOnTheSameConnection(SpiClient client) {
    return await()
        .atMost(LONG)
        .ignoreExceptionsInstanceOf(BackendFailure.class)
        .until(() -> SpiClient.open(client.backend(), GUARD), opened -> true);
  }

  @Test
  @Rule(value = "HF-FOV-02", marked = 9)
  @Disturbs({FailOverControl.class, ClockControl.class})
  @Proves(Claim.GUARDED)
  default void duringTheGuardNobodyIsOvertakenInto() {
    requireGuard();
    FailOverControl store = fixture().control(FailOverControl.class);
    SpiClient holder = guardedClient();
    Held held = holder.hold(LOCK);

    store.failOverLosing(() -> {});

    SpiClient other = guardedClient();
    Delayed delayed = delayed(other.overtake(other.request(LOCK), held.observed()));
    outlastGuard(delayed, other);
    EngineSteps.take(other, LOCK);
  }

  /** Else no request would be granted until the clock is where it was. */
  @Test
  @Rule(value = "HF-FOV-09", marked = 7)
  @Disturbs({FailOverControl.class, ClockControl.class})
  default void aClockSetBackDuringTheGuardCostsOneMoreGuardAndNotAnHour() {
    requireGuard();
    FailOverControl store = fixture().control(FailOverControl.class);
    ClockControl clock = fixture().control(ClockControl.class);
    SpiClient holder = guardedClient();
    store.failOverLosing(() -> holder.hold(LOCK));
    SpiClient other = guardedClient();
    delayed(other.grab(other.request(LOCK)));

    clock.stepClock(Duration.ofHours(-1));

    Delayed delayed = delayed(other.grab(other.request(LOCK)));
    assertThat(delayed.remaining())
        .isPositive()
        .isLessThanOrEqualTo(GUARD.plus(MAX_CLOCK_STEP.multipliedBy(2)));
    outlastGuard(delayed, other);
    EngineSteps.take(other, LOCK);
  }

  /** That it survived proves nothing about its requests: a grant may be gone without it. */
  @Test
  @Rule(value = "HF-FOV-03", marked = 10)
  @Disturbs({FailOverControl.class, ClockControl.class})
  @Proves(Claim.GUARDED)
  default void aSessionOfBeforeAFailOverIsOver() {
    requireThatGrantsMayBeLost();
    FailOverControl store = fixture().control(FailOverControl.class);
    SpiClient client = guardedClient();
    client.hold(LOCK);

    store.failOverLosing(() -> {});

    SpiClient after = client.on(fixture().connect(StoreFixture.options(GUARD)));
    assertThat(after.renew()).isEqualTo(new Renewed.Over());
    assertThat(after.grab(after.request(LOCK))).isEqualTo(new Attempt.SessionOver());
  }

  @Test
  @Rule(value = "HF-FOV-04", marked = 10)
  @Disturbs({FailOverControl.class, ClockControl.class})
  @Proves(Claim.GUARDED)
  default void aSessionWhoseEndWasLostIsNotBack() {
    requireThatGrantsMayBeLost();
    FailOverControl store = fixture().control(FailOverControl.class);
    SpiClient client = guardedClient();

    store.failOverLosing(client::closeSession);

    assertThat(client.on(fixture().connect(StoreFixture.options(GUARD))).renew())
        .isEqualTo(new Renewed.Over());
  }

  @Test
  @Rule("HF-FOV-05")
  @Disturbs({FailOverControl.class, ClockControl.class})
  default void aLockWhoseReleaseWasLostIsNotHeldForGood() {
    requireThatGrantsMayBeLost();
    FailOverControl store = fixture().control(FailOverControl.class);
    SpiClient holder = guardedClient();
    Held held = holder.hold(LOCK);

    store.failOverLosing(() -> holder.release(held));

    SpiClient other = guardedClient();
    outlastAnyGuard(other);
    assertThat(EngineSteps.take(other, LOCK).number()).isGreaterThan(held.number());
  }

  @Test
  @Rule("HF-FOV-06")
  @Disturbs({FailOverControl.class, ClockControl.class})
  @Proves(Claim.TOKENS_SURVIVE_PARTIAL_LOSS)
  default void numbersRiseOverAGrantThatWasLost() {
    fixture().requireTokensSurvive(Event.PARTIAL_LOSS);
    FailOverControl store = fixture().control(FailOverControl.class);
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
    outlastAnyGuard(other);
    assertThat(EngineSteps.take(other, LOCK).number())
        .as("the number of %s after the loss of its last grants", LOCK)
        .isGreaterThan(lost[0])
        .isGreaterThan(kept.number());
  }

  @Test
  @Rule("HF-FOV-10")
  @Disturbs({FailOverControl.class, ClockControl.class})
  @Proves(Claim.TOKENS_SURVIVE_FAIL_OVER)
  default void numbersRiseWhenAReplicaTakesOver() {
    fixture().requireTokensSurvive(Event.FAIL_OVER);
    FailOverControl store = fixture().control(FailOverControl.class);
    if (!store.hasReplica()) {
      throw new NotProvedException("TckStore's FailOverControl has no replica take over.");
    }
    SpiClient holder = guardedClient();
    Held held = holder.hold(LOCK);

    store.failOverLosing(() -> {});

    SpiClient other = guardedClient();
    outlastAnyGuard(other);
    assertThat(EngineSteps.take(other, LOCK).number())
        .as("the number of %s after a fail-over", LOCK)
        .isGreaterThan(held.number());
  }

  @Test
  @Rule(value = "HF-FOV-07", marked = 12)
  @Disturbs({FailOverControl.class, ClockControl.class})
  @Proves(Claim.TOKENS_SURVIVE_TOTAL_LOSS)
  default void numbersRiseOverTheLossOfEverything() {
    fixture().requireTokensSurvive(Event.TOTAL_LOSS);
    FailOverControl store = fixture().control(FailOverControl.class);
    SpiClient holder = guardedClient();
    Held lost = holder.hold(LOCK);

    store.loseEverything();

    SpiClient other = guardedClient();
    outlastAnyGuard(other);
    assertThat(other.hold(LOCK).number()).isGreaterThan(lost.number());
    assertThat(holder.on(other.backend()).renew()).isEqualTo(new Renewed.Over());
  }

  /** A user that switches it off has been told what that means. */
  @Test
  @Rule("HF-FOV-08")
  @Disturbs({FailOverControl.class, ClockControl.class})
  default void withTheGuardOffNobodyWaits() {
    requireGuard();
    FailOverControl store = fixture().control(FailOverControl.class);
    SpiClient holder = guardedClient();

    store.failOverLosing(() -> holder.hold(LOCK));

    BackendOptions off =
        new BackendOptions(StoreFixture.options(GUARD).namespace(), RestartGuard.OFF);
    fixture().client(off, GUARD).hold(LOCK);
  }

  /** That the new incarnation has ended its session does not mean that its holder knows. */
  @Test
  @Rule(
      value = "HF-FOV-11",
      marked = {6, 9})
  @Disturbs(FailOverControl.class)
  default void duringTheGuardARevocationThatIsSafeFreesNothing() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    requireGuard();
    FailOverControl store = fixture().control(FailOverControl.class);
    SpiClient holder = guardedClient();
    Held held = holder.hold(LOCK);

    store.failOverLosing(() -> {});

    SpiClient other = guardedClient();
    Revocation revocation = other.revoke(held.observed(), RevokeWhen.SAFELY);
    assertThat(revocation).isInstanceOf(Revocation.Marked.class);
    assertThat(((Revocation.Marked) revocation).remaining()).isPositive();
    assertThat(other.holder(LOCK).request()).isEqualTo(held.request().id());
    outlastGuard(delayed(other.grab(other.request(LOCK))), other);
    assertThat(other.revoke(held.observed(), RevokeWhen.SAFELY)).isEqualTo(new Revocation.Freed());
  }

  private void outlastAnyGuard(SpiClient waiting) {
    GuardSteps.outlastAny(fixture(), waiting);
  }

  private void outlastGuard(Delayed delayed, SpiClient waiting) {
    GuardSteps.outlast(fixture(), delayed, waiting);
  }
}
