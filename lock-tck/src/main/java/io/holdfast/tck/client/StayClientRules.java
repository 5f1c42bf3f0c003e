package io.holdfast.tck.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockEvent;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LossReason;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Stay.Reason;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Least times, lock-delays and notices, as applications see them. */
@Topic(value = "STC", level = Level.CORE, clause = "AcquireOptions.atLeast, lockDelay; revokeIn")
public interface StayClientRules extends ClientFixture {

  /** A least time of which no test sees the end. */
  Duration HOURS = Duration.ofHours(12);

  private void require(Stays stays) {
    NotApplicableException.unless(
        fixture().capabilities().stays().contains(stays), "This store does not claim " + stays);
  }

  private Grant atLeast(TestClient client, Duration time) {
    return client.client().lock(NAME).acquire(AcquireOptions.within(longWait()).atLeast(time));
  }

  private static Holder holder(TestClient client) {
    return client.client().find(NAME).flatMap(LockRecord::holder).orElseThrow();
  }

  private void requireTaken(Reason why) {
    TestClient other = client();
    assertThat(other.attempt(NAME)).isEmpty();
    Holder holder = holder(other);
    assertThat(holder.liveness()).isEqualTo(Liveness.STAYING);
    assertThat(holder.stay().orElseThrow().reason()).isEqualTo(why);
    assertThat(other.client().find(NAME).orElseThrow().isHeld()).isTrue();
  }

  @Test
  @Rule(value = "HF-STC-01", marked = 19)
  default void aJobThatIsDoneEarlyLeavesItsLockTaken() {
    require(Stays.AT_LEAST);
    TestClient one = client();
    Grant grant = atLeast(one, HOURS);

    assertThat(grant.release()).isEqualTo(ReleaseOutcome.STAYS);

    assertThat(grant.isHeld()).isFalse();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
    assertThat(one.attempt(NAME)).isEmpty();
    requireTaken(Reason.AT_LEAST);
  }

  @Test
  @Rule(value = "HF-STC-02", marked = 19)
  default void aLeastTimeOutlivesItsClient() {
    require(Stays.AT_LEAST);
    TestClient released = client();
    atLeast(released, HOURS).release();
    released.client().close();
    requireTaken(Reason.AT_LEAST);
    TestClient operator = client();
    LockRecord seen = operator.client().find(NAME).orElseThrow();
    assertThat(operator.client().revoke(seen, RevokeWhen.SAFELY)).isEqualTo(new Revocation.Freed());

    TestClient held = client();
    Grant unused = atLeast(held, HOURS);
    held.client().close();

    requireTaken(Reason.AT_LEAST);
  }

  @Test
  @Rule("HF-STC-03")
  default void aLockIsHadWhenItsLeastTimeIsOver() {
    require(Stays.AT_LEAST);
    TestClient one = client();
    long asked = System.nanoTime();
    Grant grant = atLeast(one, Duration.ofSeconds(2));
    grant.release();

    Grant next = client().acquire(NAME, longWait());

    assertThat(System.nanoTime() - asked).isGreaterThan(Duration.ofMillis(1900).toNanos());
    assertThat(next.token()).isGreaterThan(grant.token());
    assertThat(next.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @Test
  @Rule("HF-STC-04")
  default void aLeastTimeThatIsOverBeforeTheReleaseLeavesNothing() {
    require(Stays.AT_LEAST);
    Grant grant = atLeast(client(), Duration.ofMillis(1));
    StoreFixture.pass(Duration.ofMillis(20));

    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  /** A job that never ran is not skipped. */
  @Test
  @Rule(value = "HF-STC-05", marked = 19)
  default void aGrantThatDidNotReachItsCallerLeavesNothing() {
    require(Stays.AT_LEAST);
    TestClient one = client();
    one.hold("another").release(); // So there is a session, and the caller's thread makes the call.
    one.faults()
        .next(
            Verb.GRAB,
            call -> {
              Object granted = call.proceed();
              Thread.currentThread().interrupt();
              return granted;
            });
    Waiting waiting = new Waiting(() -> atLeast(one, HOURS));

    assertThatThrownBy(waiting::grant).hasCauseInstanceOf(LockInterruptedException.class);
    client().acquire(NAME, longWait()).release();
  }

  @Test
  @Rule("HF-STC-06")
  default void aLeastTimeIsNeitherPassedOnNorCached() {
    require(Stays.AT_LEAST);
    TestClient one = client();
    Grant grant =
        one.client().lock(NAME).acquire(AcquireOptions.within(longWait()).atLeast(HOURS).cached());
    Waiting next = one.waitFor(NAME, longWait());

    assertThat(grant.release()).isEqualTo(ReleaseOutcome.STAYS);

    requireTaken(Reason.AT_LEAST);
    TestClient operator = client();
    operator.client().revoke(operator.client().find(NAME).orElseThrow(), RevokeWhen.SAFELY);
    next.grant().release();
  }

  /** The release reaches the store twice, and late. */
  @Test
  @Rule(value = "HF-STC-07", marked = 19)
  default void aReleaseThatWasNotAnsweredIsRepeatedAndLeavesTheLockTaken() {
    require(Stays.AT_LEAST);
    TestClient one = client();
    Grant grant = atLeast(one, HOURS);
    one.faults().next(Verb.RELEASE_AFTER, Fault.answerLost());

    assertThat(grant.release()).isEqualTo(ReleaseOutcome.PENDING);

    await().atMost(longWait()).until(() -> one.answers(Verb.RELEASE_AFTER) > 0);
    requireTaken(Reason.AT_LEAST);
  }

  @Test
  @Rule(value = "HF-STC-08", marked = 20)
  default void aClientThatClosesLeavesNoDelay() {
    require(Stays.LOCK_DELAY);
    TestClient one = client();
    Grant grant =
        one.client()
            .lock(NAME)
            .acquire(AcquireOptions.within(longWait()).lockDelay(AcquireOptions.STAY_MAX));

    one.client().close();

    Grant next = client().acquire(NAME, longWait());
    assertThat(next.token()).isGreaterThan(grant.token());
  }

  @Test
  @Rule(value = "HF-STC-09", marked = 20)
  default void aClientThatDiesLeavesItsLockDelayed() {
    require(Stays.LOCK_DELAY);
    TestClient dies = client(SHORT_TTL);
    Grant grant =
        dies.client()
            .lock(NAME)
            .acquire(AcquireOptions.within(longWait()).lockDelay(AcquireOptions.STAY_MAX));
    TestClient other = client();
    Waiting waits = other.waitFor(NAME, longWait());

    dies.faults().always(Fault.callLost());

    await()
        .atMost(longWait())
        .until(() -> holder(other).stay().filter(s -> s.reason() == Reason.LOCK_DELAY).isPresent());
    assertThat(grant.isHeld()).isFalse();
    requireTaken(Reason.LOCK_DELAY);
    assertThat(waits.result()).isNotDone();
    TestClient operator = client();
    operator.client().revoke(operator.client().find(NAME).orElseThrow(), RevokeWhen.SAFELY);
    assertThat(waits.grant().token()).isGreaterThan(grant.token());
  }

  @Test
  @Rule(value = "HF-STC-10", marked = 21)
  default void aHolderThatIsRevokedWithNoticeHoldsUntilItIsOver() {
    require(Stays.REVOKE_LATER);
    TestClient one = steadyClient();
    Grant grant = one.acquire(NAME, longWait());
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    grant.onLost(losses::add);
    TestClient operator = client();
    LockRecord seen = operator.client().find(NAME).orElseThrow();
    Holder holder = seen.holder().orElseThrow();

    operator.client().revokeIn(seen, holder, HOURS);
    await()
        .atMost(longWait())
        .until(() -> one.events().stream().anyMatch(LockEvent.GrantRevokedLater.class::isInstance));
    assertThat(grant.isHeld()).as("isHeld() while there is notice").isTrue();
    grant.check();
    operator.client().revokeIn(seen, holder, Duration.ofMillis(1));

    await().atMost(longWait()).until(() -> !losses.isEmpty());
    assertThat(losses).containsExactly(LossReason.REVOKED);
    assertThat(grant.isHeld()).isFalse();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.LOST);
    assertThat(client().acquire(NAME, longWait()).token()).isGreaterThan(grant.token());
  }

  @Test
  @Rule("HF-STC-11")
  default void badTimesAreRefusedBeforeAnythingIsAsked() {
    require(Stays.AT_LEAST);
    Duration tooLong = AcquireOptions.STAY_MAX.plusMillis(1);
    AcquireOptions once = AcquireOptions.once();
    assertThatThrownBy(() -> once.atLeast(tooLong)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> once.atLeast(Duration.ofMillis(-1)))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> once.lockDelay(tooLong)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> once.lockDelay(Duration.ofMillis(-1)))
        .isInstanceOf(BadRequestException.class);
    AcquireOptions atMost = once.atMost(Duration.ofSeconds(1));
    assertThatThrownBy(() -> atMost.atLeast(Duration.ofSeconds(2)))
        .isInstanceOf(BadRequestException.class);
  }

  /** A third of a second, for instance: a store that counts microseconds would refuse it. */
  @Test
  @Rule("HF-STC-12")
  default void aTimeThatIsFinerThanTheStoreCountsIsRoundedUp() {
    require(Stays.LOCK_DELAY);
    require(Stays.REVOKE_LATER);
    Duration fine = Duration.ofHours(1).plusNanos(1);
    TestClient one = client();
    Grant grant =
        one.client().lock(NAME).acquire(AcquireOptions.within(longWait()).lockDelay(fine));
    TestClient operator = client();
    LockRecord seen = operator.client().find(NAME).orElseThrow();

    Revocation told = operator.client().revokeIn(seen, seen.holder().orElseThrow(), fine);

    assertThat(told).isInstanceOf(Revocation.Marked.class);
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
  }
}
