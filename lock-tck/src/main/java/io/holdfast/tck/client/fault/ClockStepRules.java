package io.holdfast.tck.client.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockEvent.ClockSkewed;
import io.holdfast.ReleaseOutcome;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.ClientFixture;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.RealClockControl;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The store's clock is set by an hour while clients hold and wait. Back, it costs a TTL. Forward,
 * and so beyond every bound, it may cost exclusivity for a TTL, but never the order of tokens.
 */
@Topic(value = "STP", level = Level.TIME, clause = "docs/guarantees.md, Clocks")
public interface ClockStepRules extends ClientFixture {

  /** A step beyond every bound. */
  public Duration HOUR = Duration.ofHours(1);

  /** Of holders, whose heartbeats are waited for, and come in time on a slow machine too. */
  public Duration TTL = Duration.ofSeconds(5);

  /** The heartbeats of waiters, who shall look before the holder renews. */
  public Duration VERY_OFTEN = Duration.ofMillis(200);

  @Test
  @Rule("HF-STP-01")
  @Disturbs(ClockControl.class)
  default void aHeldLockStaysHeldWhenTheClockIsSetBack() {
    ClockControl clock = fixture().control(ClockControl.class);
    TestClient one = client(Holdfast.builder().defaultTtl(TTL).heartbeat(OFTEN));
    Grant grant = one.hold(NAME);
    Waiting waiting = waiter();
    clock.stepClock(HOUR.negated());
    awaitRenewals(one, 8); // For longer than its TTL.
    assertThat(waiting.result()).isNotDone();
    grant.check();
    assertThat(grant.release()).isNotEqualTo(ReleaseOutcome.LOST);
    assertThat(waiting.grant().token()).isGreaterThan(grant.token());
  }

  @Test
  @Rule("HF-STP-02")
  @Disturbs(ClockControl.class)
  default void aHeldLockOutlivesAStepForwardIfNobodyWantsItBeforeTheNextHeartbeat() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    ClockControl clock = fixture().control(ClockControl.class);
    TestClient one = steadyClient();
    Grant grant = one.hold(NAME);
    clock.stepClock(HOUR);
    awaitRenewals(one, 2);
    assertThat(client().attempt(NAME)).isEmpty();
    grant.check();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @Test
  @Rule(value = "HF-STP-03", marked = 7)
  @Disturbs(ClockControl.class)
  default void aDeadHoldersLockPassesOnSoonAlthoughTheClockWasSetBack() {
    ClockControl clock = fixture().control(ClockControl.class);
    TestClient dead = client(TTL);
    Grant grant = dead.hold(NAME);
    Waiting waiting = waiter();
    dead.faults().always(Fault.callLost());
    clock.stepClock(HOUR.negated());
    assertThat(waiting.grant().token()).isGreaterThan(grant.token());
  }

  /** Whether the holder's next renewal or the waiter's next look comes first is open. */
  @Test
  @Rule("HF-STP-04")
  @Disturbs(RealClockControl.class)
  default void tokensRiseOverAStepForwardAndBackAlsoIfTwoBelieveInOneLock() {
    RealClockControl clock = fixture().control(RealClockControl.class);
    TestClient one = steadyClient();
    Grant grant = one.hold(NAME);
    Waiting waiting = waiter();
    clock.stepClock(HOUR);
    await().atMost(longWait()).until(() -> waiting.result().isDone() || renewals(one) >= 2);
    clock.stepClock(HOUR.negated());
    grant.release();
    Grant next = waiting.grant();
    assertThat(next.token()).isGreaterThan(grant.token());
    assertThat(grant.isHeld()).as("isHeld() of the grant of %s", grant.name()).isFalse();
    next.release();
    assertThat(one.acquire(NAME, longWait()).token()).isGreaterThan(next.token());
  }

  @Test
  @Rule("HF-STP-05")
  @Disturbs(RealClockControl.class)
  default void aStepOfTheStoresClockIsReported() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    NotApplicableException.unless(
        !fixture().store().isEmbedded(), "This store has its clients' clock: both step together.");
    RealClockControl clock = fixture().control(RealClockControl.class);
    TestClient one = client(TTL);
    one.hold(NAME);
    SpiClient observer = fixture().client();
    Optional<Instant> before = observer.renewed().storeTime();
    clock.stepClock(HOUR);
    Optional<Instant> after = observer.renewed().storeTime();
    NotApplicableException.unless(
        before.isPresent() && after.filter(before.get().plus(TTL)::isBefore).isPresent(),
        "This store does not tell a clock that steps.");
    awaitSkew(one, skew -> skew.store().compareTo(HOUR) > 0);
    clock.stepClock(HOUR.negated());
    awaitSkew(one, skew -> skew.store().isNegative());
  }

  private Waiting waiter() {
    TestClient client = client(Holdfast.builder().defaultTtl(LONG_TTL).heartbeat(VERY_OFTEN));
    Waiting waiting = client.waitFor(NAME, longWait());
    await()
        .atMost(longWait())
        .until(() -> !client.client().find(NAME).orElseThrow().waiters().isEmpty());
    return waiting;
  }

  private static long renewals(TestClient client) {
    return client.count(Verb.RENEW);
  }

  private void awaitRenewals(TestClient client, int count) {
    long before = renewals(client);
    await().atMost(longWait()).until(() -> renewals(client) >= before + count);
  }

  private void awaitSkew(TestClient client, Predicate<ClockSkewed> expected) {
    await()
        .atMost(longWait())
        .until(
            () ->
                client.events().stream()
                    .anyMatch(e -> e instanceof ClockSkewed skew && expected.test(skew)));
  }
}
