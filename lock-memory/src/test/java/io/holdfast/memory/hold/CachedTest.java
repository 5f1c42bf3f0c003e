package io.holdfast.memory.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Payload;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionState;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.world.World;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks that stay with their client when they are given back. */
class CachedTest {

  private static final Duration HEARTBEAT = World.TTL.dividedBy(3);
  private static final Duration LONG = Duration.ofHours(1);
  private static final AcquireOptions CACHED = AcquireOptions.within(LONG).cached();

  private final World world = new World(Wakeup.POLL);
  private final World.Peer one = world.process();
  private final World.Peer other = world.process();

  private Grant take() {
    return one.client.lock("a").acquire(CACHED);
  }

  /** Takes the lock and gives it back, so that it is kept. */
  private Grant takeAndKeep() {
    Grant grant = take();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.KEPT);
    assertThat(grant.isHeld()).isFalse();
    return grant;
  }

  private void renewalsFailUntil(SessionState state) {
    one.network = World.down().on("renew");
    while (one.client.health().sessions().get(0).state() != state) {
      world.time.advance(Duration.ofMillis(100));
    }
  }

  private boolean isFree() {
    return other.client.find("a").flatMap(record -> record.holder()).isEmpty();
  }

  @Test
  void isTakenAgainWithoutACallAndWithAGreaterToken() {
    Grant first = takeAndKeep();
    one.calls.clear();
    Grant second = take();
    assertThat(second.isHeld()).isTrue();
    assertThat(second.token()).isGreaterThan(first.token());
    assertThat(second.token().number()).isEqualTo(first.token().number());
    assertThat(second.release()).isEqualTo(ReleaseOutcome.KEPT);
    assertThat(one.client.lock("a").tryAcquire(AcquireOptions.once().cached())).isPresent();
    assertThat(one.calls).isEmpty();
  }

  @Test
  void isHeldInTheStoreWhileItIsKept() {
    takeAndKeep();
    assertThat(other.client.lock("a").tryAcquire()).isEmpty();
  }

  @Test
  void goesBackWhenItWasNotUsedForFourHeartbeats() {
    takeAndKeep();
    world.time.advance(HEARTBEAT.multipliedBy(4).minusSeconds(1));
    assertThat(isFree()).isFalse();
    world.time.advance(Duration.ofSeconds(2));
    assertThat(isFree()).isTrue();
  }

  @Test
  void everyUseBeginsTheIdleTimeAnew() {
    takeAndKeep();
    for (int i = 0; i < 20; i++) {
      world.time.advance(HEARTBEAT.multipliedBy(3));
      assertThat(take().release()).isEqualTo(ReleaseOutcome.KEPT);
    }
    assertThat(one.count("grab")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void goesToAnotherClientThatWaitsWithinAHeartbeat(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer one = world.process();
    World.Peer other = world.process();
    Grant first = one.client.lock("a").acquire(CACHED);
    assertThat(first.release()).isEqualTo(ReleaseOutcome.KEPT);
    world.time.advance(Duration.ofSeconds(1));
    long beforeNanos = world.time.nanos();
    Grant next = other.client.lock("a").acquire(LONG);
    assertThat(next.token()).isGreaterThan(first.token());
    assertThat(Duration.ofNanos(world.time.nanos() - beforeNanos))
        .isLessThan(HEARTBEAT.plusSeconds(1));
  }

  @Test
  void aLockInUseForWhichOthersWaitGoesToThemWhenItIsGivenBack() {
    Grant held = take();
    held.handOver();
    AtomicReference<Optional<Grant>> waited = new AtomicReference<>(Optional.empty());
    world.after(
        Duration.ofSeconds(1), () -> waited.set(Optional.of(other.client.lock("a").acquire(LONG))));
    world.after(
        HEARTBEAT.multipliedBy(3),
        () -> assertThat(held.release()).isEqualTo(ReleaseOutcome.HANDED_ON));
    world.time.advance(HEARTBEAT.multipliedBy(4));
    assertThat(waited.get()).isPresent();
  }

  /** Each look says that nobody knows: then it is as if others waited. */
  @Test
  void isNotKeptOnceItIsUnknownWhetherOthersWait() {
    one.network =
        sent -> {
          Object answer = sent.pass();
          return sent.is("look") ? List.of(unknown((List<?>) answer)) : answer;
        };
    takeAndKeep();
    world.time.advance(HEARTBEAT.multipliedBy(2).minusSeconds(1));
    assertThat(isFree()).isFalse();
    world.time.advance(Duration.ofSeconds(2));
    assertThat(isFree()).isTrue();
  }

  private static Standing unknown(List<?> standings) {
    Standing.Holding holding = (Standing.Holding) standings.get(0);
    return new Standing.Holding(holding.number(), holding.since(), Contention.NOT_KNOWN);
  }

  @Test
  void isNotKeptAtAllWhereTheGrantDoesNotSayThatNobodyWaits() {
    one.network =
        sent -> {
          Object answer = sent.pass();
          return answer instanceof Attempt.Granted granted
              ? new Attempt.Granted(granted.number(), granted.since(), Contention.NOT_KNOWN)
              : answer;
        };
    assertThat(take().release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @Test
  void aThreadThatAsksForSomethingElseGetsAGrantOfItsOwn() {
    Grant first = takeAndKeep();
    Grant plain = one.client.lock("a").tryAcquire().orElseThrow();
    assertThat(plain.token().number()).isGreaterThan(first.token().number());
    assertThat(plain.release()).isEqualTo(ReleaseOutcome.FREED);

    takeAndKeep();
    Payload payload = Payload.ofText("other");
    Grant other = one.client.lock("a").acquire(CACHED.payload(payload));
    assertThat(world.process().client.find("a").orElseThrow().holder().orElseThrow().payload())
        .isEqualTo(payload);
    assertThat(other.release()).isEqualTo(ReleaseOutcome.KEPT);
  }

  @Test
  void yieldsANewNumberWhenTheLocalPartsAreUsedUp() {
    Grant last = takeAndKeep();
    long first = last.token().number();
    for (int i = 1; i < 1023; i++) {
      Grant next = take();
      assertThat(next.token()).isGreaterThan(last.token());
      ReleaseOutcome outcome = next.release();
      assertThat(outcome)
          .as("%d", i)
          .isEqualTo(i < 1022 ? ReleaseOutcome.KEPT : ReleaseOutcome.FREED);
      last = next;
    }
    assertThat(last.token().value()).isEqualTo(first * 1024 + 1022);
    Grant fresh = take();
    assertThat(fresh.token().number()).isGreaterThan(first);
    assertThat(one.count("grab")).isEqualTo(2);
  }

  @Test
  void aNumberWhoseReleaseWasSentIsNeverTakenAgain() {
    Grant first = takeAndKeep();
    one.network =
        sent -> {
          if (sent.is("release")) {
            throw World.answerLost();
          }
          return sent.pass();
        };
    world.time.advance(HEARTBEAT.multipliedBy(4).plusSeconds(1));
    assertThat(one.count("release")).isPositive();
    world.after(Duration.ofSeconds(5), () -> one.network = World.Sent::pass);
    Grant second = take();
    assertThat(second.token().number()).isGreaterThan(first.token().number());
  }

  /** Saved by a late renewal it would be held by nobody. */
  @Test
  void goesBackAfterJeopardyAlthoughALateRenewalSavesTheSession() {
    takeAndKeep();
    one.network = World.dead();
    while (one.client.health().sessions().get(0).state() != SessionState.JEOPARDY) {
      world.time.advance(Duration.ofMillis(100));
    }
    one.network = World.Sent::pass;
    world.time.advance(Duration.ofSeconds(8));
    assertThat(one.client.health().sessions().get(0).state()).isEqualTo(SessionState.SAFE);
    assertThat(isFree()).isTrue();
  }

  /** A lease that was in jeopardy proves nothing of the time between. */
  @Test
  void aGrantThatWasInJeopardyIsNotKept() {
    Grant grant = take();
    one.network = World.dead();
    while (grant.isHeld()) {
      world.time.advance(Duration.ofMillis(100));
    }
    world.time.advance(Duration.ofSeconds(1));
    one.network = World.Sent::pass;
    grant.check();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  /** Nothing is passed on or given up while a renewal is overdue. */
  @Test
  void isKeptForTheRenewalToDecideWhileALeaseIsLate() {
    Grant first = takeAndKeep();
    renewalsFailUntil(SessionState.LATE);
    long lateNanos = world.time.nanos();
    world.after(Duration.ofSeconds(2), () -> one.network = World.Sent::pass);
    Grant second = take();
    assertThat(Duration.ofNanos(world.time.nanos() - lateNanos))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(2));
    assertThat(second.token().number()).isEqualTo(first.token().number());
  }

  @Test
  void goesBackWhenItIsRevoked() {
    takeAndKeep();
    other.client.revoke(other.client.find("a").orElseThrow(), RevokeWhen.SAFELY);
    world.time.advance(HEARTBEAT.plusSeconds(1));
    assertThat(isFree()).isTrue();
    // The notice has been acknowledged, and the next grant is not taken for the revoked one.
    world.time.advance(HEARTBEAT.multipliedBy(2));
    assertThat(take().isHeld()).isTrue();
  }

  @Test
  void goesBackWhenItWasTakenAwayAtOnce() {
    Grant first = takeAndKeep();
    other.client.revoke(other.client.find("a").orElseThrow(), RevokeWhen.NOW);
    Grant theirs = other.client.lock("a").tryAcquire().orElseThrow();
    world.time.advance(HEARTBEAT.plusSeconds(1));
    assertThatThrownBy(() -> one.client.lock("a").acquire(Duration.ofSeconds(1)))
        .isInstanceOf(LockTimeoutException.class);
    theirs.release();
    assertThat(take().token()).isGreaterThan(theirs.token()).isGreaterThan(first.token());
  }

  @Test
  void goesBackWhenItsClientCloses() {
    takeAndKeep();
    one.client.close();
    assertThat(isFree()).isTrue();
  }

  @Test
  void goesBackWhenTheJvmExitsAlthoughGrantsInUseStay() {
    takeAndKeep();
    Grant used = one.client.lock("b").acquire();
    one.seam.exit();
    world.time.advance(Duration.ofSeconds(1));
    assertThat(isFree()).isTrue();
    assertThat(used.isHeld()).isTrue();
  }

  @Test
  void isNotKeptByAJvmThatExits() {
    Grant used = take();
    one.seam.exit();
    assertThat(used.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @Test
  void whoAsksAfterTheExitForWhatWasKeptIsSentAway() {
    takeAndKeep();
    Grant used = one.client.lock("b").acquire();
    one.seam.exit();
    world.time.advance(Duration.ofSeconds(1));
    assertThatThrownBy(this::take).isInstanceOf(ClientClosedException.class);
    assertThat(used.isHeld()).isTrue();
  }

  /** Neither kept nor in use, it is forgotten by none. */
  @Test
  void theExitWaitsForAReleaseInTheBackground() {
    takeAndKeep();
    one.seam.latency(Duration.ofMillis(50));
    assertThat(world.join("a", 1)).hasSize(1);
    while (one.count("look") == 0) {
      world.time.advance(Duration.ofMillis(1));
    }
    world.time.advance(Duration.ofMillis(51)); // Its answer has a release noted, but not sent.
    assertThat(one.count("release")).isZero();
    one.seam.exit();
    assertThat(one.count("release")).isPositive();
  }

  /** A number whose release was sent must not come back with the session. */
  @Test
  void aSessionWhoseKeptLockCouldNotBeGivenBackIsNotLeftToALaterLife() {
    takeAndKeep();
    Grant used = one.client.lock("b").acquire(AcquireOptions.forever().ttl(World.TTL));
    one.network =
        sent -> {
          if (sent.is("release")) {
            throw World.answerLost();
          }
          return sent.pass();
        };
    assertThat(one.client.orphan()).isEmpty();
    assertThat(used.isHeld()).isFalse();
    world.time.advance(World.TTL.plusSeconds(2));
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
    assertThat(other.client.lock("b").tryAcquire()).isPresent();
  }

  @Test
  void oneAttemptDoesNotWaitForALateRenewal() {
    takeAndKeep();
    renewalsFailUntil(SessionState.LATE);
    long lateNanos = world.time.nanos();
    assertThat(one.client.lock("a").tryAcquire(AcquireOptions.once().cached())).isEmpty();
    assertThat(world.time.nanos()).isEqualTo(lateNanos);
  }

  /** The heartbeat's look is answered after another one that was sent later. */
  @Test
  void anOldAnswerTellsNothingOfTheGrantSince() {
    Grant theirs = other.client.lock("a").acquire(LONG);
    boolean[] isDelayed = {false};
    one.network =
        sent -> {
          Object answer = sent.pass();
          one.seam.latency(Duration.ZERO);
          if (sent.is("look") && one.count("renew") > 0 && !isDelayed[0]) {
            isDelayed[0] = true;
            one.seam.latency(Duration.ofSeconds(3)); // Of this answer alone.
            world.after(
                Duration.ofMillis(1),
                () -> {
                  one.seam.latency(Duration.ZERO);
                  theirs.release();
                });
          }
          return answer;
        };
    Grant mine = take();
    assertThat(isDelayed[0]).isTrue();
    world.time.advance(Duration.ofSeconds(4));
    assertThat(mine.release()).isEqualTo(ReleaseOutcome.KEPT);
  }

  @Test
  void isNotLeftToALaterLife() {
    takeAndKeep();
    assertThat(one.client.orphan()).isEmpty();
    assertThat(isFree()).isTrue();
  }

  @Test
  void isNotLeftToALaterLifeTogetherWithWhatIs() {
    takeAndKeep();
    Grant used = one.client.lock("b").acquire(AcquireOptions.forever().ttl(World.TTL));
    AtomicReference<LossReason> reason = new AtomicReference<>(LossReason.RELEASED);
    used.onLost(reason::set);
    assertThat(one.client.orphan()).hasSize(1);
    assertThat(isFree()).isTrue();
    world.time.advance(Duration.ofSeconds(1));
    assertThat(reason.get()).isEqualTo(LossReason.ORPHANED);
  }

  @Test
  void aLockThatTheStoreHasForgottenIsNotTakenAgain() {
    Grant first = takeAndKeep();
    one.network = sent -> sent.is("look") ? List.of(new Standing.Absent()) : sent.pass();
    world.time.advance(HEARTBEAT.plusSeconds(1));
    one.network = World.Sent::pass;
    assertThat(take().token().number()).isGreaterThan(first.token().number());
  }

  @Test
  void costsOneLookPerHeartbeatMoreThanTheRenewal() {
    takeAndKeep();
    Grant used = take();
    one.calls.clear();
    world.time.advance(HEARTBEAT.multipliedBy(10));
    assertThat(one.count("look")).isEqualTo(10);
    assertThat(one.count("renew")).isEqualTo(10);
    assertThat(used.isHeld()).isTrue();
  }

  @Test
  void aReleaseThatFailsInTheBackgroundIsRepeated() {
    takeAndKeep();
    int[] failures = {3};
    one.network =
        sent -> {
          if (sent.is("release") && failures[0]-- > 0) {
            throw World.unreachable();
          }
          return sent.pass();
        };
    world.time.advance(HEARTBEAT.multipliedBy(6));
    assertThat(failures[0]).isNegative();
    assertThat(isFree()).isTrue();
  }

  @Test
  void aStoreThatSaysItWasNotThereIsBelieved() {
    takeAndKeep();
    one.network = sent -> sent.is("release") ? Released.NOTHING : sent.pass();
    world.time.advance(HEARTBEAT.multipliedBy(6));
    assertThat(one.count("release")).isEqualTo(1);
  }

  @Test
  void oneAttemptSucceedsWhileWhatWasKeptGoesBack() {
    takeAndKeep();
    one.seam.latency(Duration.ofMillis(50));
    while (one.count("release") == 0) {
      world.time.advance(Duration.ofMillis(1));
    }
    assertThat(isFree()).isTrue();
    assertThat(one.client.lock("a").tryAcquire(AcquireOptions.once().cached())).isPresent();
  }
}
