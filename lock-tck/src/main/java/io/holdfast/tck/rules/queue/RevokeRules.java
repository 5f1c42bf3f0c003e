package io.holdfast.tck.rules.queue;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static io.holdfast.tck.fixture.StoreFixture.MAX_CLOCK_STEP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.Revocation;
import io.holdfast.record.Revocation.Marked;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.faults.Fault;
import io.holdfast.tck.faults.FaultyBackend;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Taking a lock away: the holder is told first, and has a whole TTL to stop. */
@Topic(value = "REV", level = Level.CORE, clause = "LockBackend.revoke and acknowledge")
public interface RevokeRules extends SpiRules {

  /** A TTL that rules wait for, and in which a slow machine makes some calls. */
  Duration BRIEF = Duration.ofSeconds(4);

  Duration STEP = BRIEF.dividedBy(8);

  /**
   * Waits until a client that is refused sees that the holder is to go. On a slow machine a session
   * that is renewed may lapse for a moment, until the next renewal.
   */
  static void awaitRevocationDue(StoreFixture fixture, SpiClient refused, SpiClient... renewed) {
    Liveness last =
        fixture.lookUntil(
            seen -> seen == Liveness.REVOCATION_DUE,
            STEP,
            () -> {
              Stream.of(renewed).forEach(SpiClient::renewed);
              return refused.refused(LOCK).liveness();
            });
    assertThat(last).isEqualTo(Liveness.REVOCATION_DUE);
  }

  @Test
  @Rule(value = "HF-REV-01", marked = 6)
  default void aRevokedHolderIsToldAtEveryRenewalUntilItAcknowledges() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    revokeSafely(held);

    assertThat(holder.toldRevoked()).containsExactly(held.request().id());
    assertThat(holder.toldRevoked()).containsExactly(held.request().id());
    assertThat(holder.on(fixture().connect()).toldRevoked()).containsExactly(held.request().id());

    holder.acknowledge(held.request());
    assertThat(holder.toldRevoked()).isEmpty();
  }

  @Test
  @Rule(value = "HF-REV-02", marked = 6)
  default void aRevokedLockStaysWithItsHolderForAWholeTtl() {
    SpiClient holder = fixture().client(LONG);
    Held held = holder.hold(LOCK);

    assertThat(revokeSafely(held).remaining())
        .isBetween(LONG.dividedBy(2), LONG.plus(MAX_CLOCK_STEP.multipliedBy(2)));

    SpiClient other = fixture().client();
    Holder seen = other.refused(LOCK);
    assertThat(seen.request()).isEqualTo(held.request().id());
    assertThat(seen.liveness()).isEqualTo(Liveness.LIVE);
    assertThat(seen.revokedAt()).isPresent();
    assertThat(other.overtake(other.request(LOCK), held.observed()))
        .isInstanceOf(Attempt.Refused.class);
    assertThat(holder.holding(held.request())).isEqualTo(held);
  }

  @Test
  @Rule("HF-REV-03")
  default void aRevokedLockPassesOnWhenItsHolderReleasesIt() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);
    revokeSafely(held);

    assertThat(holder.release(held)).isEqualTo(Released.HANDED_ON);

    assertThat(waiter.holding(waits).number()).isGreaterThan(held.number());
    assertThat(waiter.holder(LOCK).revokedAt())
        .as("the mark was about the holder before")
        .isEmpty();
    assertThat(waiter.toldRevoked()).isEmpty();
  }

  /** The holder may not have heard of it: it is told although the lock is not its own any more. */
  @Test
  @Rule(value = "HF-REV-04", marked = 6)
  default void theNoticeOutlivesTheGrant() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    revokeSafely(held);

    holder.release(held);
    fixture().client().hold(LOCK);

    assertThat(holder.toldRevoked()).containsExactly(held.request().id());
  }

  @Test
  @Rule("HF-REV-05")
  default void aLockRevokedAWholeTtlAgoIsOvertakenAlthoughItsHolderRenews() {
    SpiClient waiter = fixture().client();
    SpiClient newcomer = fixture().client();
    SpiClient holder = fixture().client(BRIEF);
    Held held = holder.hold(LOCK);
    holder.renewed();
    Request waits = waiter.queue(LOCK);
    holder.renewed();
    revokeSafely(newcomer, held);
    awaitRevocationDue(fixture(), newcomer, holder);
    List<Obstacle> due =
        List.of(new Obstacle(held.observed(), held.request().id(), Liveness.REVOCATION_DUE));
    // A client whose clock comes with its answers may learn of it a little later.
    List<Obstacle> told =
        fixture()
            .lookUntil(
                due::equals,
                STEP,
                () -> {
                  holder.renewed();
                  waiter.renewed();
                  return waiter.waiting(waits).obstacles();
                });
    assertThat(told).isEqualTo(due);
    Attempt attempt = waiter.overtake(waits, held.observed());

    assertThat(attempt).isInstanceOf(Attempt.Granted.class);
    assertThat(((Attempt.Granted) attempt).number()).isGreaterThan(held.number());
    assertThat(holder.standing(held.request())).isEqualTo(new Standing.Absent());
    assertThat(holder.toldRevoked()).containsExactly(held.request().id());
  }

  /**
   * The next in line has the lock, no matter which waiter comes for it, and no waiter loses a
   * place.
   */
  @Test
  @Rule("HF-REV-06")
  default void aWaiterFurtherBehindThatOvertakesARevokedHolderKeepsItsPlace() {
    SpiClient next = fixture().client();
    SpiClient behind = fixture().client();
    SpiClient holder = fixture().client(BRIEF);
    Held held = holder.hold(LOCK);
    holder.renewed();
    Request waits = next.queue(LOCK);
    holder.renewed();
    Request waitsBehind = behind.queue(LOCK);
    holder.renewed();
    revokeSafely(behind, held);
    fixture()
        .lookUntil(
            liveness -> liveness == Liveness.REVOCATION_DUE,
            STEP,
            () -> {
              holder.renewed();
              return next.holder(LOCK).liveness();
            });

    assertThat(behind.overtake(waitsBehind, held.observed())).isEqualTo(new Attempt.Queued());

    assertThat(next.holding(waits).number()).isGreaterThan(held.number());
    assertThat(behind.waiting(waitsBehind).ahead()).isEqualTo(1);
  }

  @Test
  @Rule("HF-REV-07")
  default void revokingNowFreesTheLockAtOnceAndStillTellsItsHolder() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient other = fixture().client();

    assertThat(other.revoke(held.observed(), RevokeWhen.NOW)).isEqualTo(new Revocation.Freed());

    assertThat(other.hold(LOCK).number()).isGreaterThan(held.number());
    assertThat(holder.toldRevoked()).containsExactly(held.request().id());
    assertThat(holder.release(held)).isEqualTo(Released.NOTHING);
  }

  @Test
  @Rule("HF-REV-08")
  default void revokingNowHandsTheLockToTheNextWaiter() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);

    fixture().client().revoke(held.observed(), RevokeWhen.NOW);

    assertThat(waiter.holding(waits).number()).isGreaterThan(held.number());
    assertThat(holder.standing(held.request())).isEqualTo(new Standing.Absent());
  }

  @Test
  @Rule("HF-REV-09")
  default void aRevocationOfAGrantThatIsNotInForceAnyMoreChangesNothing() {
    SpiClient before = fixture().client();
    Held observed = before.hold(LOCK);
    before.release(observed);
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    Observed wrongNumber = new Observed(LOCK, held.number() - 1, held.request().id());
    SpiClient operator = fixture().client();

    for (RevokeWhen when : RevokeWhen.values()) {
      assertThat(operator.revoke(observed.observed(), when)).isEqualTo(new Revocation.Changed());
      assertThat(operator.revoke(wrongNumber, when)).isEqualTo(new Revocation.Changed());
    }

    assertThat(holder.holding(held.request())).isEqualTo(held);
    assertThat(operator.holder(LOCK).revokedAt()).isEmpty();
    assertThat(
            operator.revoke(
                new Observed(new LockName("never"), 1, held.request().id()), RevokeWhen.NOW))
        .isEqualTo(new Revocation.Changed());
  }

  @Test
  @Rule("HF-REV-10")
  default void theHoldersOtherLocksAreNotAffected() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    Held other = holder.hold(new LockName("orders/43"));

    revokeSafely(held);
    fixture().client().revoke(held.observed(), RevokeWhen.NOW);

    assertThat(holder.holding(other.request())).isEqualTo(other);
    assertThat(holder.toldRevoked()).containsExactly(held.request().id());
  }

  @Test
  @Rule("HF-REV-11")
  default void eachNoticeIsAcknowledgedByItself() {
    SpiClient holder = fixture().client();
    Held one = holder.hold(new LockName("one"));
    Held two = holder.hold(new LockName("two"));
    revokeSafely(one);
    revokeSafely(two);

    assertThat(holder.toldRevoked())
        .containsExactlyInAnyOrder(one.request().id(), two.request().id());
    holder.acknowledge(one.request());
    holder.acknowledge(one.request());

    assertThat(holder.toldRevoked()).containsExactly(two.request().id());
  }

  @Test
  @Rule("HF-REV-12")
  default void acknowledgingWhatWasNotRevokedHasNoEffect() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);

    holder.acknowledge(held.request());
    holder.acknowledge(SpiClient.of(holder.backend(), StoreFixture.spec().id()).request(LOCK));

    assertThat(holder.holding(held.request())).isEqualTo(held);
    assertThat(holder.toldRevoked()).isEmpty();
  }

  /** A notice counts for a grant whose answer its holder has never seen. */
  @Test
  @Rule("HF-REV-13")
  default void aHolderWhoseGrantWasNotAnsweredIsToldToo() {
    FaultyBackend faulty = new FaultyBackend(fixture().connect());
    SpiClient holder = SpiClient.open(faulty, LONG);
    Request request = holder.waitingRequest(LOCK);
    faulty.next(Verb.GRAB, Fault.answerLost());
    assertThatThrownBy(() -> holder.grab(request)).isInstanceOf(BackendFailure.class);

    revokeSafely(holder.holding(request));

    assertThat(holder.toldRevoked()).containsExactly(request.id());
  }

  @Test
  @Rule("HF-REV-14")
  default void revokingTwiceIsRevokingOnce() {
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    revokeSafely(held);
    revokeSafely(held);

    assertThat(holder.toldRevoked()).containsExactly(held.request().id());
    holder.acknowledge(held.request());
    assertThat(holder.toldRevoked()).isEmpty();
  }

  @Test
  @Rule("HF-REV-15")
  default void aHolderWhoseSessionIsOverIsRevokedWithoutAWait() {
    fixture().requireExpiry(Expiry.BY_OTHERS);
    SpiClient dead = fixture().client();
    Held held = dead.hold(LOCK);
    dead.closeSession();
    SpiClient operator = fixture().client();

    Revocation revocation = operator.revoke(held.observed(), RevokeWhen.SAFELY);

    assertThat(revocation).isNotInstanceOf(Revocation.Changed.class);
    if (revocation instanceof Marked marked) {
      assertThat(marked.remaining()).isZero();
      operator.overtake(held.observed());
    } else {
      operator.hold(LOCK);
    }
    assertThat(dead.renew()).isEqualTo(new Renewed.Over());
  }

  /** The wait begins with the revocation, however long ago the lock was granted. */
  @Test
  @Rule(value = "HF-REV-16", marked = 6)
  default void aHolderOfLongStandingHasAWholeTtlFromItsRevocation() {
    SpiClient operator = fixture().client();
    StoreFixture.holdsWithin(
        BRIEF,
        "A holder that renews keeps its lock for a whole TTL after its revocation",
        () -> longHeld(fixture().client(BRIEF)),
        held ->
            operator.revoke(held.observed(), RevokeWhen.SAFELY) instanceof Marked
                && operator.overtake(operator.request(held.request().name()), held.observed())
                    instanceof Attempt.Refused);
  }

  private Held longHeld(SpiClient holder) {
    Held held = holder.hold(new LockName("long/" + holder.session().value()));
    elapseRenewing(holder, BRIEF.plus(BRIEF.dividedBy(3)));
    return held;
  }

  /** Lets a time pass in which the session is renewed as a heartbeat would. */
  private void elapseRenewing(SpiClient client, Duration time) {
    for (Duration left = time; left.compareTo(Duration.ZERO) > 0; left = left.minus(STEP)) {
      fixture().elapse(left.compareTo(STEP) < 0 ? left : STEP);
      client.renewed();
    }
  }

  @Test
  @Rule("HF-REV-17")
  default void revokingAgainBeginsNoOtherWait() {
    SpiClient operator = fixture().client();
    SpiClient holder = fixture().client(BRIEF);
    Held held = holder.hold(LOCK);
    holder.renewed();
    Duration half = revokeSafely(operator, held).remaining().dividedBy(2).plusMillis(100);

    elapseRenewing(holder, half);
    if (operator.revoke(held.observed(), RevokeWhen.SAFELY) instanceof Revocation.Freed) {
      return; // On a machine that stood still for the other half, it was due by now.
    }
    // A store that looks now and then does so a little later, and far from half a wait later.
    elapseRenewing(holder, half.plus(fixture().store().endsLate().dividedBy(4)));

    assertThat(operator.overtake(held.observed()).number())
        .as("a whole TTL after the first revocation, whatever came after it")
        .isGreaterThan(held.number());
  }

  private Marked revokeSafely(Held held) {
    return revokeSafely(fixture().client(), held);
  }

  private static Marked revokeSafely(SpiClient operator, Held held) {
    Revocation revocation = operator.revoke(held.observed(), RevokeWhen.SAFELY);
    assertThat(revocation).isInstanceOf(Marked.class);
    return (Marked) revocation;
  }
}
