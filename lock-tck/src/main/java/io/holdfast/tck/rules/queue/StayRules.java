package io.holdfast.tck.rules.queue;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static io.holdfast.tck.fixture.StoreFixture.MAX_CLOCK_STEP;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Stay;
import io.holdfast.record.Stay.Reason;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.fixture.StoreFixture.ShortLived;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A lock that stays taken although no session lives for it, or until an announced time. */
@Topic(value = "STY", level = Level.CORE, clause = "LockBackend.releaseAfter, overtake, revokeIn")
public interface StayRules extends SpiRules {

  /** A stay that rules wait for. */
  Duration BRIEF = Duration.ofSeconds(2);

  Duration STEP = BRIEF.dividedBy(8);

  /** Delays of which one at least is seen. */
  int DELAYS_MAX = 3;

  private Held stays(SpiClient owner, Duration stay) {
    Held held = owner.hold(LOCK);
    assertThat(owner.releaseAfter(held.request(), stay)).isEqualTo(Released.STAYS);
    return held;
  }

  /** A holder with a lock-delay whose session has lapsed and was ended. */
  private Held dead(Duration lockDelay) {
    ShortLived dead = fixture().holdShortly(holder -> holder.request(LOCK).lockDelay(lockDelay));
    fixture().letDie(dead.client());
    return dead.held();
  }

  private void requireStays(Holder seen, Held held, Reason reason, Duration stay) {
    assertThat(seen.request()).as("who holds %s", LOCK).isEqualTo(held.request().id());
    assertThat(seen.liveness()).as("liveness of %s", seen).isEqualTo(Liveness.STAYING);
    assertThat(seen.stay().map(Stay::reason)).contains(reason);
    assertThat(seen.stay().orElseThrow().left())
        .isBetween(Duration.ofMillis(1), stay.plus(MAX_CLOCK_STEP.multipliedBy(2)));
  }

  private static Standing renewedStanding(SpiClient waiter, Request waits) {
    waiter.renewed();
    return waiter.standing(waits);
  }

  private static boolean isDelayed(Standing standing) {
    return standing instanceof Standing.Waiting waiting
        && waiting.obstacles().isEmpty()
        && waiting.nextDue().isPresent();
  }

  private Attempt overtake(SpiClient newcomer, Held held) {
    return newcomer.overtake(newcomer.request(LOCK), held.observed());
  }

  /**
   * Overtakes again and again until the lock is granted, as one waiter after the other would. A
   * store that ends sessions by itself may end what stays, too, and the lock is free then.
   */
  private Held overtakeInTheEnd(SpiClient newcomer, Held held) {
    Request request = newcomer.request(LOCK);
    Attempt last =
        fixture()
            .lookUntil(
                attempt -> attempt instanceof Attempt.Granted,
                STEP,
                () -> overtakeOrGrab(newcomer, request, held));
    assertThat(last).as("overtake of %s in the end", held).isInstanceOf(Attempt.Granted.class);
    return new Held(request, ((Attempt.Granted) last).number());
  }

  private static Attempt overtakeOrGrab(SpiClient newcomer, Request request, Held held) {
    newcomer.renewed();
    Attempt attempt = newcomer.overtake(request, held.observed());
    return attempt instanceof Attempt.Refused refused && refused.record().holder().isEmpty()
        ? newcomer.grab(request)
        : attempt;
  }

  // At least.

  @Test
  @Rule(value = "HF-STY-01", marked = 19)
  default void aLockThatIsGivenBackEarlyStaysTaken() {
    fixture().requireStays(Stays.AT_LEAST);
    SpiClient owner = fixture().client();
    Held held = stays(owner, LONG);

    SpiClient other = fixture().client();
    requireStays(other.refused(LOCK), held, Reason.AT_LEAST, LONG);
    assertThat(other.inspect(LOCK).orElseThrow().isHeld()).isTrue();
    assertThat(overtake(other, held)).isInstanceOf(Attempt.Refused.class);
    assertThat(other.backend().list("", Optional.empty(), 10, StoreFixture.soon()))
        .extracting(LockRecord::name)
        .containsExactly(LOCK);
  }

  @Test
  @Rule(value = "HF-STY-02", marked = 19)
  default void whatStaysIsAbsentForItsOwnerAndNotGrantedToALateCopy() {
    fixture().requireStays(Stays.AT_LEAST);
    SpiClient owner = fixture().client();
    Held held = stays(owner, LONG);

    assertThat(owner.standing(held.request())).isEqualTo(new Standing.Absent());
    assertThat(owner.grab(held.request())).isInstanceOf(Attempt.Refused.class);
    assertThat(owner.grab(held.request().with(IfHeld.QUEUE))).isInstanceOf(Attempt.Refused.class);
    assertThat(fixture().client().inspect(LOCK).orElseThrow().waiters()).isEmpty();
    owner.renewed();
  }

  @Test
  @Rule(value = "HF-STY-03", marked = 19)
  default void aFurtherReleaseChangesNothingThatStays() {
    fixture().requireStays(Stays.AT_LEAST);
    SpiClient owner = fixture().client();
    Held held = stays(owner, LONG);

    assertThat(owner.release(held)).isEqualTo(Released.NOTHING);
    assertThat(owner.releaseAfter(held.request(), Duration.ofMillis(1))).isEqualTo(Released.STAYS);

    fixture().elapse(Duration.ofMillis(50));
    requireStays(fixture().client().refused(LOCK), held, Reason.AT_LEAST, LONG);
  }

  @Test
  @Rule(value = "HF-STY-04", marked = 19)
  default void whatStaysOutlivesItsSession() {
    fixture().requireStays(Stays.AT_LEAST);
    SpiClient owner = fixture().client();
    Held held = stays(owner, LONG);

    owner.on(fixture().connect()).closeSession();

    SpiClient other = fixture().client();
    requireStays(other.refused(LOCK), held, Reason.AT_LEAST, LONG);
    assertThat(overtake(other, held)).isInstanceOf(Attempt.Refused.class);
    requireStays(other.refused(LOCK), held, Reason.AT_LEAST, LONG);
  }

  @Test
  @Rule("HF-STY-05")
  default void whatHasStayedForItsTimeIsOvertaken() {
    fixture().requireStays(Stays.AT_LEAST);
    SpiClient owner = fixture().client();
    Held held = owner.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);
    assertThat(owner.releaseAfter(held.request(), BRIEF)).isEqualTo(Released.STAYS);

    if (waiter.standing(waits) instanceof Standing.Waiting behind
        && behind.obstacles().isEmpty()) { // Else the machine was slow.
      assertThat(behind.nextDue().orElseThrow())
          .isBetween(Duration.ZERO, BRIEF.plus(MAX_CLOCK_STEP.multipliedBy(2)));
    }
    Standing standing =
        fixture()
            .lookUntil(
                seen ->
                    !(seen instanceof Standing.Waiting waiting) || !waiting.obstacles().isEmpty(),
                STEP,
                () -> renewedStanding(waiter, waits));

    if (standing instanceof Standing.Waiting waiting) {
      assertThat(waiting.obstacles())
          .extracting(obstacle -> obstacle.request())
          .containsExactly(held.request().id());
      assertThat(waiter.overtake(waits, held.observed())).isInstanceOf(Attempt.Granted.class);
    } else {
      assertThat(fixture().capabilities().expiry())
          .as("which side ends sessions, where the store itself has ended what stayed")
          .isEqualTo(Expiry.BY_STORE);
    }
    assertThat(waiter.holding(waits).number()).isGreaterThan(held.number());
    assertThat(waiter.release(waits)).isEqualTo(Released.FREED);
  }

  @Test
  @Rule("HF-STY-06")
  default void onlyAHolderCanStay() {
    fixture().requireStays(Stays.AT_LEAST);
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    SpiClient waiter = fixture().client();
    Request waits = waiter.queue(LOCK);

    assertThat(waiter.releaseAfter(waits, LONG)).isEqualTo(Released.WAS_WAITING);
    assertThat(waiter.releaseAfter(waits, LONG)).isEqualTo(Released.NOTHING);
    holder.release(held);
    holder.requireFree(LOCK);
  }

  @Test
  @Rule("HF-STY-07")
  default void aRevocationUsesUpTheLeastTime() {
    fixture().requireStays(Stays.AT_LEAST);
    SpiClient holder = fixture().client();
    Held revoked = holder.hold(LOCK);
    holder.revoke(revoked.observed(), RevokeWhen.SAFELY);

    assertThat(holder.releaseAfter(revoked.request(), LONG)).isEqualTo(Released.FREED);

    Held held = stays(holder, LONG);
    assertThat(holder.revoke(held.observed(), RevokeWhen.SAFELY)).isEqualTo(new Revocation.Freed());
    holder.requireFree(LOCK);
    assertThat(holder.toldRevoked()).doesNotContain(held.request().id());
  }

  @Test
  @Rule("HF-STY-08")
  default void whatStaysInSharedModeLetsSharedRequestsInAndNoExclusiveOne() {
    fixture().requireStays(Stays.AT_LEAST);
    NotApplicableException.unless(
        fixture().capabilities().modes().contains(LockMode.SHARED),
        "Locks of this store are exclusive.");
    SpiClient owner = fixture().client();
    Held held = owner.share(LOCK);
    assertThat(owner.releaseAfter(held.request(), LONG)).isEqualTo(Released.STAYS);
    SpiClient reader = fixture().client();

    Held joined = reader.share(LOCK);
    requireStays(fixture().client().refused(LOCK), held, Reason.AT_LEAST, LONG);
    assertThat(reader.release(joined)).isEqualTo(Released.SHARED);
    requireStays(fixture().client().refused(LOCK), held, Reason.AT_LEAST, LONG);
  }

  @Test
  @Rule(value = "HF-STY-20", marked = 19)
  default void aLateCopyOfAReleaseThatStaysDoesNoHarm() {
    fixture().requireStays(Stays.AT_LEAST);
    SpiClient owner = fixture().client();
    Held held = stays(owner, Duration.ofMillis(1));
    SpiClient other = fixture().client();
    Held next = overtakeInTheEnd(other, held);

    assertThat(owner.releaseAfter(held.request(), LONG)).isEqualTo(Released.NOTHING);
    assertThat(owner.release(held)).isEqualTo(Released.NOTHING);

    assertThat(other.holding(next.request())).isEqualTo(next);
    assertThat(other.release(next)).isEqualTo(Released.FREED);
  }

  @Test
  @Rule("HF-STY-21")
  default void aSweepLeavesWhatStays() {
    fixture().requireStays(Stays.AT_LEAST);
    Held held = stays(fixture().client(), LONG);
    SpiClient other = fixture().client();

    int unused = other.backend().sweep(StoreFixture.soon());

    requireStays(other.refused(LOCK), held, Reason.AT_LEAST, LONG);
  }

  // Lock-delay.

  @Test
  @Rule(value = "HF-STY-09", marked = 20)
  default void theFirstOvertakeOfADeadHolderBeginsItsDelay() {
    fixture().requireStays(Stays.LOCK_DELAY);
    Held held = dead(LONG);
    SpiClient other = fixture().client();

    assertThat(overtake(other, held)).isInstanceOf(Attempt.Refused.class);
    requireStays(other.refused(LOCK), held, Reason.LOCK_DELAY, LONG);
    assertThat(overtake(other, held)).isInstanceOf(Attempt.Refused.class);
    requireStays(other.refused(LOCK), held, Reason.LOCK_DELAY, LONG);
    Request waits = other.queue(LOCK);
    assertThat(other.waiting(waits).obstacles()).isEmpty();
    assertThat(other.waiting(waits).nextDue().orElseThrow())
        .isBetween(Duration.ofMillis(1), LONG.plus(MAX_CLOCK_STEP.multipliedBy(2)));
  }

  @Test
  @Rule(value = "HF-STY-10", marked = 20)
  default void aDelayIsHadOnce() {
    fixture().requireStays(Stays.LOCK_DELAY);
    Held held = dead(BRIEF);

    Held next = overtakeInTheEnd(fixture().client(), held);

    assertThat(next.number()).isGreaterThan(held.number());
  }

  @Test
  @Rule(value = "HF-STY-11", marked = 20)
  default void aHolderThatReleasesLeavesNoDelay() {
    fixture().requireStays(Stays.LOCK_DELAY);
    SpiClient holder = fixture().client();
    Held held = holder.hold(holder.request(LOCK).lockDelay(LONG));

    assertThat(holder.release(held)).isEqualTo(Released.FREED);
    holder.closeSession();

    Held next = fixture().client().hold(LOCK);
    assertThat(next.number()).isGreaterThan(held.number());
  }

  @Test
  @Rule("HF-STY-12")
  default void aWaiterIsGrantedTheLockAfterTheDelay() {
    fixture().requireStays(Stays.LOCK_DELAY);
    List<Standing> seen;
    int tries = 0;
    do { // A machine that stands still for the whole delay shows nothing of it.
      seen = seenOverADelay(new LockName("delayed/" + tries));
    } while (seen.stream().noneMatch(StayRules::isDelayed) && ++tries < DELAYS_MAX);

    assertThat(seen).as("a look at the delay").anyMatch(StayRules::isDelayed);
  }

  /** Returns what a waiter sees from the death of a holder on until it holds. */
  private List<Standing> seenOverADelay(LockName name) {
    SpiClient waiter = fixture().client();
    ShortLived dies = fixture().holdShortly(holder -> holder.request(name).lockDelay(BRIEF));
    Held held = dies.held();
    Request waits = waiter.waitingRequest(name);
    waiter.grab(waits);
    fixture().letDie(dies.client());
    List<Standing> seen = new ArrayList<>();
    Standing last =
        fixture()
            .lookUntil(
                standing -> standing instanceof Standing.Holding,
                STEP,
                () -> {
                  Standing standing = renewedStanding(waiter, waits);
                  seen.add(standing);
                  if (standing instanceof Standing.Waiting waiting
                      && !waiting.obstacles().isEmpty()) {
                    waiter.overtake(waits, held.observed());
                  }
                  return standing;
                });

    assertThat(last).as("%s in the end", waits).isInstanceOf(Standing.Holding.class);
    return seen;
  }

  @Test
  @Rule("HF-STY-13")
  default void aRevocationUsesUpTheDelay() {
    fixture().requireStays(Stays.LOCK_DELAY);
    SpiClient operator = fixture().client();
    ShortLived dies = fixture().holdShortly(holder -> holder.request(LOCK).lockDelay(LONG));
    Held revoked = dies.held();
    operator.revoke(revoked.observed(), RevokeWhen.SAFELY);
    fixture().letDie(dies.client());

    if (operator.inspect(LOCK).flatMap(LockRecord::holder).isPresent()) {
      assertThat(overtake(operator, revoked)).isInstanceOf(Attempt.Granted.class);
    }
  }

  @Test
  @Rule("HF-STY-14")
  default void revokingAHolderInItsDelayRemovesIt() {
    fixture().requireStays(Stays.LOCK_DELAY);
    Held held = dead(LONG);
    SpiClient other = fixture().client();
    overtake(other, held);

    assertThat(other.revoke(held.observed(), RevokeWhen.SAFELY)).isEqualTo(new Revocation.Freed());

    other.requireFree(LOCK);
  }

  /**
   * A client also ends a session that it could not renew in time: what that held is lost, and has
   * not been given back.
   */
  @Test
  @Rule("HF-STY-22")
  default void aSessionThatIsEndedBeforeItsHolderReleasesLeavesTheDelay() {
    fixture().requireStays(Stays.LOCK_DELAY);
    SpiClient holder = fixture().client();
    Held held = holder.hold(holder.request(LOCK).lockDelay(LONG));

    holder.closeSession();

    SpiClient other = fixture().client();
    assertThat(overtake(other, held)).isInstanceOf(Attempt.Refused.class);
    requireStays(other.refused(LOCK), held, Reason.LOCK_DELAY, LONG);
  }

  // Revoking with notice.

  private Revocation revokeIn(Observed head, Duration notice) {
    return fixture().connect().revokeIn(head, notice, StoreFixture.soon());
  }

  @Test
  @Rule(value = "HF-STY-15", marked = 21)
  default void aHolderIsToldHowLongItMayStillHold() {
    fixture().requireStays(Stays.REVOKE_LATER);
    SpiClient holder = fixture().client();
    Held held = holder.hold(LOCK);
    Duration notice = LONG.multipliedBy(2);

    assertThat(revokeIn(held.observed(), notice)).isInstanceOf(Revocation.Marked.class);

    assertThat(holder.renewed().notices())
        .singleElement()
        .isInstanceOfSatisfying(
            Notice.Revoked.class,
            told -> {
              assertThat(told.request()).isEqualTo(held.request().id());
              assertThat(told.left()).isBetween(Duration.ofMillis(1), notice);
            });
    assertThat(holder.holding(held.request())).isEqualTo(held);
    Holder seen = fixture().client().refused(LOCK);
    assertThat(seen.liveness()).isEqualTo(Liveness.LIVE);
    assertThat(seen.stay().map(Stay::reason)).contains(Reason.REVOKED);
  }

  @Test
  @Rule(value = "HF-STY-16", marked = 21)
  default void aShortNoticeLeavesAWholeTtlAllTheSame() {
    fixture().requireStays(Stays.REVOKE_LATER);
    SpiClient holder = fixture().client(LONG);
    Held held = holder.hold(LOCK);

    Revocation revoked = revokeIn(held.observed(), Duration.ofMillis(1));

    assertThat(revoked)
        .isInstanceOfSatisfying(
            Revocation.Marked.class,
            marked -> assertThat(marked.remaining()).isGreaterThan(LONG.dividedBy(2)));
    fixture().elapse(Duration.ofMillis(500));
    SpiClient other = fixture().client();
    assertThat(overtake(other, held)).isInstanceOf(Attempt.Refused.class);
    assertThat(holder.renewed().notices()).containsExactly(new Notice.Revoked(held.request().id()));
  }

  @Test
  @Rule("HF-STY-17")
  default void aHolderWhoseNoticeIsOverIsOvertakenAlthoughItRenews() {
    fixture().requireStays(Stays.REVOKE_LATER);
    SpiClient other = fixture().client();
    SpiClient holder = fixture().client(RevokeRules.BRIEF);
    Held held = holder.hold(LOCK);
    other.backend().revokeIn(held.observed(), BRIEF, StoreFixture.soon());
    RevokeRules.awaitRevocationDue(fixture(), other, holder, other);
    assertThat(overtake(other, held)).isInstanceOf(Attempt.Granted.class);
  }

  @Test
  @Rule(value = "HF-STY-18", marked = 20)
  default void aNoticeUsesUpNoDelay() {
    fixture().requireStays(Stays.REVOKE_LATER);
    fixture().requireStays(Stays.LOCK_DELAY);
    SpiClient holder = fixture().client();
    Held held = holder.hold(holder.request(LOCK).lockDelay(LONG));
    revokeIn(held.observed(), LONG.multipliedBy(10));
    holder.closeSession();
    SpiClient other = fixture().client();

    assertThat(overtake(other, held)).isInstanceOf(Attempt.Refused.class);

    requireStays(other.refused(LOCK), held, Reason.LOCK_DELAY, LONG);
  }

  @Test
  @Rule("HF-STY-19")
  default void aSafeRevocationEndsALongNotice() {
    fixture().requireStays(Stays.REVOKE_LATER);
    SpiClient holder = fixture().client(LONG);
    Held held = holder.hold(LOCK);
    revokeIn(held.observed(), LONG.multipliedBy(10));

    Revocation revoked = holder.revoke(held.observed(), RevokeWhen.SAFELY);

    assertThat(revoked)
        .isInstanceOfSatisfying(
            Revocation.Marked.class,
            marked ->
                assertThat(marked.remaining())
                    .isBetween(LONG.dividedBy(2), LONG.plus(MAX_CLOCK_STEP.multipliedBy(2))));
    assertThat(holder.renewed().notices()).containsExactly(new Notice.Revoked(held.request().id()));
  }
}
