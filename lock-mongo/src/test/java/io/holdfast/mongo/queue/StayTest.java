package io.holdfast.mongo.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.mongo.InterleavedTestBase;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Stay.Reason;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** What stays, and what others do to it between two commands. */
class StayTest extends InterleavedTestBase {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration LEASE = StoreFixture.LONG.plus(StoreFixture.MAX_CLOCK_STEP);

  StayTest() {
    super("stays", StoreFixture.options());
  }

  private void pass(Duration time) {
    server.stepClock(database, time);
  }

  private Attempt overtake(SpiClient newcomer, Held held) {
    return newcomer.overtake(newcomer.request(LOCK), held.observed());
  }

  private BsonDocument stored(Held held) {
    return past.getDatabase(database)
        .getCollection("holdfast_locks", BsonDocument.class)
        .find()
        .first()
        .getDocument("stays")
        .getDocument(held.request().id().toString());
  }

  private Held dead(Duration lockDelay) {
    SpiClient holder = client();
    Held held = holder.hold(holder.request(LOCK).lockDelay(lockDelay));
    pass(LEASE.plusSeconds(1));
    holder.end(EndIf.LAPSED);
    return held;
  }

  @Test
  void aLockIsGivenBackThatStaysInOneCommand() {
    SpiClient owner = clientUnderTest();
    Held held = owner.hold(LOCK);
    commands.clear();

    assertThat(owner.releaseAfter(held.request(), HOUR)).isEqualTo(Released.STAYS);

    assertThat(commands).hasSize(1);
    assertThat(owner.releaseAfter(held.request(), HOUR)).isEqualTo(Released.STAYS);
    assertThat(stored(held).getInt64("begun").getValue()).isEqualTo(1);
  }

  @Test
  void oneThatSharesALockBehindOthersStays() {
    SpiClient first = client();
    Held head = first.share(LOCK);
    SpiClient owner = client();
    Held held = owner.share(LOCK);

    assertThat(owner.releaseAfter(held.request(), HOUR)).isEqualTo(Released.STAYS);

    assertThat(first.release(head)).isEqualTo(Released.SHARED);
    Holder stays = client().refused(LOCK);
    assertThat(stays.request()).isEqualTo(held.request().id());
    assertThat(stays.liveness()).isEqualTo(Liveness.STAYING);
    assertThat(owner.release(held)).isEqualTo(Released.NOTHING);
  }

  /** Otherwise the later one would begin the delay once more. */
  @Test
  void twoThatOvertakeADeadHolderAtOnceBeginOneDelay() {
    Held held = dead(HOUR);
    SpiClient first = client();
    SpiClient second = clientUnderTest();
    meanwhile.add(InterleavedTestBase::nothing); // It reads the lock,
    meanwhile.add(InterleavedTestBase::nothing); // and the sessions.
    meanwhile.add(
        () -> {
          assertThat(overtake(first, held)).isInstanceOf(Attempt.Refused.class);
          pass(Duration.ofMinutes(50));
          first.renewed();
        });

    assertThat(overtake(second, held)).isInstanceOf(Attempt.Refused.class);

    assertThat(stored(held).getInt64("begun").getValue()).isEqualTo(1);
    assertThat(second.refused(LOCK).stay().orElseThrow().left())
        .isLessThanOrEqualTo(Duration.ofMinutes(10).plusMillis(1));
  }

  /** The end that was judged is that of the stay that is stored when the holder is removed. */
  @Test
  void aStayThatBeginsAnewAfterItWasJudgedIsNotOver() {
    SpiClient owner = client();
    Held held = owner.hold(LOCK);
    owner.releaseAfter(held.request(), Duration.ofSeconds(5));
    pass(Duration.ofSeconds(6));
    SpiClient other = clientUnderTest();
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(
        InterleavedTestBase::nothing); // The lock and the sessions are read, and the stay judged.
    meanwhile.add(
        () -> {
          server.ageIncarnations();
          SpiClient.open(backends.get(0), StoreFixture.LONG).refused(LOCK);
        });

    assertThat(overtake(other, held)).isInstanceOf(Attempt.Refused.class);

    assertThat(stored(held).getInt64("begun").getValue()).isEqualTo(2);
    assertThat(other.refused(LOCK).liveness()).isEqualTo(Liveness.STAYING);
  }

  @Test
  void ofTwoNoticesTheOneCountsThatIsOverFirst() {
    SpiClient holder = client();
    Held held = holder.hold(LOCK);
    SpiClient operator = client();

    revokeIn(operator, held, HOUR.multipliedBy(2));
    requireLeft(holder, revokeIn(operator, held, HOUR), HOUR);
    pass(Duration.ofMinutes(30));
    requireLeft(holder, revokeIn(operator, held, HOUR), Duration.ofMinutes(30));
  }

  private static Duration revokeIn(SpiClient operator, Held held, Duration notice) {
    Observed observed = held.observed();
    Revocation revoked = operator.backend().revokeIn(observed, notice, StoreFixture.soon());
    assertThat(revoked).isInstanceOf(Revocation.Marked.class);
    return ((Revocation.Marked) revoked).remaining();
  }

  /** The holder has a little less than the lock stays its own. */
  private static void requireLeft(SpiClient holder, Duration stays, Duration about) {
    Notice notice = holder.renewed().notices().get(0);
    Duration left = ((Notice.Revoked) notice).left();
    assertThat(left).isBetween(about.minusSeconds(60), about);
    assertThat(stays.minus(StoreFixture.MAX_CLOCK_STEP))
        .isBetween(left, about.plusMillis(1).plus(StoreFixture.MAX_CLOCK_STEP));
  }

  /** It is over sooner than the revocation, which takes the delay away all the same. */
  @Test
  void aSafeRevocationAfterAShortNoticeUsesUpTheDelay() {
    SpiClient holder = client();
    Held held = holder.hold(holder.request(LOCK).lockDelay(HOUR));
    SpiClient operator = client();
    revokeIn(operator, held, Duration.ofMillis(1));
    pass(Duration.ofSeconds(1));

    assertThat(operator.revoke(held.observed(), RevokeWhen.SAFELY))
        .isInstanceOfSatisfying(
            Revocation.Marked.class, marked -> assertThat(marked.remaining()).isLessThan(LEASE));
    pass(LEASE.plusSeconds(1));
    holder.end(EndIf.LAPSED);

    assertThat(overtake(client(), held)).isInstanceOf(Attempt.Granted.class);
  }

  /** A notice to a holder that is dead already does not take its delay away. */
  @Test
  void aNoticeToADeadHolderBeginsItsDelay() {
    Held held = dead(HOUR);
    SpiClient operator = client();

    assertThat(revokeIn(operator, held, Duration.ofMillis(1))).isGreaterThan(HOUR.dividedBy(2));

    assertThat(operator.refused(LOCK).stay().orElseThrow().reason()).isEqualTo(Reason.LOCK_DELAY);
  }

  /** A waiter with a lock-delay; the lock passes to it, and it dies. */
  private final class Successor {
    final SpiClient client = client();
    final Request request = client.waitingRequest(LOCK).lockDelay(HOUR);

    /** The holder releases between a waiter's two reads, of the lock and of the sessions. */
    Held holdsAndDies(SpiClient before, Held given) {
      before.release(given);
      Held held = client.holding(request);
      pass(LEASE.plusSeconds(1));
      assertThat(client.end(EndIf.LAPSED)).isEqualTo(Ended.OVER);
      return held;
    }
  }

  /** Otherwise what died with the lock in its hands would be taken for one that waited in vain. */
  @Test
  void oneThatHeldTheLockAfterItWasSeenToWaitHasItsDelay() {
    SpiClient holder = client();
    Held given = holder.hold(LOCK);
    Successor successor = new Successor();
    successor.client.grab(successor.request);
    SpiClient waiter = clientUnderTest();
    Request waits = waiter.queue(LOCK);
    List<Held> dead = new ArrayList<>();
    meanwhile.add(InterleavedTestBase::nothing);
    meanwhile.add(() -> dead.add(successor.holdsAndDies(holder, given)));

    List<Obstacle> obstacles = waiter.waiting(waits).obstacles();

    assertThat(obstacles)
        .extracting(Obstacle::request, Obstacle::liveness, Obstacle::isHead)
        .contains(tuple(successor.request.id(), Liveness.ENDED, false));
    assertThat(waiter.release(successor.request)).isEqualTo(Released.STAYS);
    waiter.renewed();
    assertThat(waiter.refused(LOCK).stay().orElseThrow().reason()).isEqualTo(Reason.LOCK_DELAY);
    assertThat(waiter.waiting(waits).obstacles()).isEmpty();
    pass(HOUR.plusSeconds(1));
    waiter.renewed();
    assertThat(waiter.overtake(waits, dead.get(0).observed())).isInstanceOf(Attempt.Granted.class);
  }

  /** It comes to hold the lock with another while the waiter removes it. */
  @Test
  void oneThatSharedTheLockWhileItWasRemovedHasItsDelay() {
    SpiClient holder = client();
    Held given = holder.hold(LOCK);
    SpiClient dies = client();
    Request request = dies.sharedRequest(LOCK).lockDelay(HOUR);
    dies.grab(request);
    client().queueShared(LOCK);
    SpiClient waiter = clientUnderTest();
    waiter.queue(LOCK);
    List<Held> dead = new ArrayList<>();
    meanwhile.add(InterleavedTestBase::nothing); // It is no exclusive waiter;
    meanwhile.add(InterleavedTestBase::nothing); // it waits.
    meanwhile.add(
        () -> {
          holder.release(given);
          dead.add(dies.holding(request));
          dies.closeSession();
        });

    assertThat(waiter.release(request)).isEqualTo(Released.STAYS);

    assertThat(stored(dead.get(0)).getString("why").getValue()).isEqualTo("lock_delay");
  }

  /** Two waiters may have seen the same, and the second one acts late. */
  @Test
  void whoReleasesOneThatIsInItsDelayLeavesIt() {
    SpiClient holder = client();
    Held given = holder.hold(LOCK);
    Successor successor = new Successor();
    successor.client.grab(successor.request);
    Held dead = successor.holdsAndDies(holder, given);
    SpiClient first = client();
    SpiClient second = client();

    assertThat(first.release(dead)).isEqualTo(Released.STAYS);
    assertThat(second.release(dead)).isEqualTo(Released.STAYS);

    assertThat(stored(dead).getInt64("begun").getValue()).isEqualTo(1);
    assertThat(second.refused(LOCK).request()).isEqualTo(dead.request().id());
  }

  @Test
  void aHolderThatReleasesBeforeItHasLearntThatItHoldsLeavesNoDelay() {
    SpiClient holder = client();
    Held given = holder.hold(LOCK);
    SpiClient owner = clientUnderTest();
    Request request = owner.waitingRequest(LOCK).lockDelay(HOUR);
    owner.grab(request);
    holder.release(given);
    commands.clear();

    assertThat(owner.release(request)).isEqualTo(Released.FREED);

    assertThat(commands).hasSize(3);
    owner.requireFree(LOCK);
  }

  /** The client does not know the session. */
  @Test
  void aLivingHolderThatIsReleasedOverAnotherConnectionLeavesNoDelay() {
    SpiClient owner = client();
    Held held = owner.hold(owner.request(LOCK).lockDelay(HOUR));
    SpiClient other = client();

    assertThat(owner.on(other.backend()).release(held)).isEqualTo(Released.FREED);
  }

  @Test
  void aDeadHolderWithoutADelayIsReleasedAtOnce() {
    Held held = dead(Duration.ZERO);

    assertThat(client().release(held)).isEqualTo(Released.FREED);
  }

  /** What it left is not swept before its delay is over. */
  @Test
  void aSweepLeavesADeadHolderItsDelay() {
    SpiClient holder = client();
    Held held = holder.hold(holder.request(LOCK).lockDelay(HOUR));
    pass(Duration.ofHours(25));
    holder.end(EndIf.LAPSED);
    SpiClient other = client();

    other.backend().sweep(StoreFixture.soon());

    assertThat(other.refused(LOCK).stay().orElseThrow().reason()).isEqualTo(Reason.LOCK_DELAY);
    other.backend().sweep(StoreFixture.soon());
    assertThat(other.refused(LOCK).request()).isEqualTo(held.request().id());
    pass(HOUR.plusSeconds(1));
    assertThat(client().backend().sweep(StoreFixture.soon())).isPositive();
    assertThat(other.isFree(LOCK)).isTrue();
  }

  @Test
  void aWaiterLearnsWhenAStayEnds() {
    SpiClient owner = client();
    Held held = owner.hold(LOCK);
    SpiClient waiter = client();
    Request waits = waiter.queue(LOCK);
    owner.releaseAfter(held.request(), Duration.ofMinutes(10));
    pass(Duration.ofMinutes(4));
    waiter.renewed();

    assertThat(waiter.waiting(waits).nextDue().orElseThrow())
        .isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6).plusMillis(1));
  }
}
