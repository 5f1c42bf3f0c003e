package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.LockEvent;
import io.holdfast.LockEvent.SessionStateChanged;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionState;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.world.World;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.time.VirtualSeam;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a holder may believe, and when it must stop. */
class LeaseTest {

  private final World world = new World(Wakeup.POLL);
  private final World.Peer holder = world.process();
  private final World.Peer other = world.process();

  private Grant hold() {
    return holder.client.lock("a").tryAcquire().orElseThrow();
  }

  private List<SessionState> states() {
    return holder.events.stream()
        .filter(SessionStateChanged.class::isInstance)
        .map(event -> ((SessionStateChanged) event).to())
        .toList();
  }

  @Test
  void heartbeatsKeepALockForAsLongAsItsHolderLives() {
    Grant grant = hold();
    for (int minute = 0; minute < 120; minute++) {
      world.time.advance(Duration.ofMinutes(1));
      assertThat(grant.isHeld()).isTrue();
      assertThat(other.client.lock("a").tryAcquire()).isEmpty();
    }
    assertThat(states()).isEmpty();
  }

  @Test
  void aHeartbeatIsOneOperationHoweverManyLocksAreHeld() {
    for (int i = 0; i < 100; i++) {
      assertThat(holder.client.lock("lock " + i).tryAcquire()).isPresent();
    }
    world.time.advance(Duration.ofSeconds(1));
    holder.calls.clear();
    world.time.advance(World.TTL);
    // A sweep comes when it wants to, once an hour.
    assertThat(holder.calls)
        .filteredOn(call -> !call.equals("sweep"))
        .hasSize(3)
        .containsOnly("renew");
  }

  @Test
  void theLeaseCountsFromTheSendingOfTheRenewalNotFromItsAnswer() {
    Grant grant = hold();
    holder.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("renew")) {
            world.time.advance(Duration.ofSeconds(3));
          }
          return answer;
        };
    world.time.advance(Duration.ofSeconds(5)); // The renewal is sent, and answered at 8 s.
    world.time.advance(Duration.ofMillis(1));
    assertThat(grant.remaining()).isBetween(Duration.ofSeconds(11), Duration.ofSeconds(12));
  }

  @Test
  void theHolderGivesUpBeforeTheStoreLetsAnybodyElseIn() {
    Grant grant = hold();
    holder.network = World.down();
    boolean taken = false;
    for (int i = 0; i < 400 && !taken; i++) {
      world.time.advance(Duration.ofMillis(50));
      boolean believed = grant.isHeld();
      Optional<Grant> stolen = other.client.lock("a").tryAcquire();
      taken = stolen.isPresent();
      assertThat(taken && believed).isFalse();
      stolen.ifPresent(next -> assertThat(next.token()).isGreaterThan(grant.token()));
    }
    assertThat(taken).isTrue();
    assertThat(grant.isHeld()).isFalse();
  }

  @Test
  void aSilentStoreMakesASessionLateThenPutsItInJeopardyThenExpiresIt() {
    Grant grant = hold();
    List<LossReason> losses = new ArrayList<>();
    grant.onLost(losses::add);
    holder.network =
        sent -> {
          throw new VirtualSeam.Hang();
        };
    world.time.advance(Duration.ofSeconds(11));
    assertThat(states()).containsExactly(SessionState.LATE);
    assertThat(grant.isHeld()).isTrue();
    world.time.advance(Duration.ofSeconds(4));
    assertThat(states()).containsExactly(SessionState.LATE, SessionState.JEOPARDY);
    assertThat(grant.isHeld()).isFalse();
    assertThat(losses).isEmpty();
    world.time.advance(Duration.ofSeconds(16));
    assertThat(states())
        .containsExactly(SessionState.LATE, SessionState.JEOPARDY, SessionState.EXPIRED);
    assertThat(losses).containsExactly(LossReason.LEASE_EXPIRED);
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.LOST);
  }

  @Test
  void aRenewalDuringJeopardySavesTheSameGrantWithTheSameToken() {
    Grant grant = hold();
    holder.network = World.down();
    world.time.advance(Duration.ofSeconds(18));
    assertThat(grant.isHeld()).isFalse();
    holder.network = World.Sent::pass;
    world.time.advance(Duration.ofSeconds(2));
    assertThat(grant.isHeld()).isTrue();
    assertThat(states())
        .containsExactly(SessionState.LATE, SessionState.JEOPARDY, SessionState.SAFE);
    assertThat(other.client.find("a").orElseThrow().token()).contains(grant.token());
  }

  @Test
  void checkInJeopardyWaitsForTheRenewalThatSavesIt() {
    Grant grant = hold();
    holder.network = World.down();
    world.time.advance(Duration.ofSeconds(16));
    world.time.after(Duration.ofSeconds(3).toNanos(), () -> holder.network = World.Sent::pass);
    grant.check();
    assertThat(grant.isHeld()).isTrue();
  }

  @Test
  void checkInJeopardyThrowsWhenTheGraceTimeIsOver() {
    Grant grant = hold();
    holder.network = World.down();
    world.time.advance(Duration.ofSeconds(16));
    assertThatThrownBy(grant::check)
        .isInstanceOf(LockLostException.class)
        .hasMessageContaining("\"a\"")
        .hasMessageContaining("memory:world");
  }

  @Test
  void aLossThatCheckHasToldOfIsFinalAlsoIfARenewalSucceedsAfterIt() {
    World.Peer hasty = world.new Peer(World.TTL, Optional.of(Duration.ZERO), false);
    Grant grant = hasty.client.lock("a").tryAcquire().orElseThrow();
    hasty.seam.latency(Duration.ofMillis(100));
    // Only check() sees that the lease has run out: no timer of the engine's has come yet.
    hasty.seam.stepWallClock(World.TTL);
    assertThatThrownBy(grant::check).isInstanceOf(LockLostException.class);
    world.time.advance(Duration.ofSeconds(1)); // The renewal that check() asked for is answered.
    assertThat(grant.isHeld()).isFalse();
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void aClockAsSlowAsTheBoundAllowsStillGivesUpBeforeTheStoreDoes() {
    World exact = new World(Wakeup.POLL, Duration.ZERO);
    World.Peer slow = exact.new Peer(0.99, 0.01);
    Grant grant = slow.client.lock("a").tryAcquire().orElseThrow();
    slow.network = World.down();
    exact.time.advance(World.TTL.minusMillis(50));
    assertThat(grant.isHeld()).isTrue();
    exact.time.advance(Duration.ofMillis(50));
    assertThat(grant.isHeld()).isFalse();
    exact.time.advance(Duration.ofMillis(1));
    assertThat(exact.process().client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void aMachineThatSleptDoesNotBelieveOn() {
    Grant grant = hold();
    holder.seam.sleep(Duration.ofMinutes(1));
    // By the monotonic clock no time has passed.
    assertThat(grant.isHeld()).isFalse();
    assertThat(grant.remaining()).isZero();
  }

  @Test
  void aMachineThatSleptFindsItsLockAgainIfNobodyWantedIt() {
    Grant grant = hold();
    holder.seam.sleep(Duration.ofMinutes(1));
    grant.check();
    assertThat(grant.isHeld()).isTrue();
  }

  @Test
  void aMachineThatSleptLosesWhatOthersHaveTaken() {
    Grant grant = hold();
    world.time.after(
        Duration.ofSeconds(40).toNanos(),
        () -> assertThat(other.client.lock("a").tryAcquire()).isPresent());
    holder.seam.sleep(Duration.ofMinutes(1));
    assertThatThrownBy(grant::check).isInstanceOf(LockLostException.class);
    assertThat(grant.isHeld()).isFalse();
  }

  @Test
  void aClockSetBackDoesNotHideThatTheMachineSleptAfterIt() {
    Grant grant = hold();
    world.time.advance(Duration.ofSeconds(1));
    holder.seam.stepWallClock(Duration.ofSeconds(-30));
    world.time.advance(Duration.ofSeconds(1));
    holder.seam.sleep(Duration.ofSeconds(20));
    assertThat(grant.isHeld()).isFalse();
    assertThat(grant.remaining()).isZero();
  }

  @Test
  void aClockSetBackWhileASessionIsOpenedDoesNotHideThatTheMachineSleptAfterIt() {
    holder.seam.latency(Duration.ofSeconds(1));
    world.after(Duration.ofMillis(1_200), () -> holder.seam.stepWallClock(Duration.ofSeconds(-30)));
    world.after(Duration.ofMillis(1_900), () -> holder.seam.sleep(Duration.ofSeconds(20)));
    Grant grant = holder.client.lock("a").acquire(Duration.ofMinutes(1));
    assertThat(grant.isHeld()).isTrue();
    assertThat(holder.count("renew")).as("renewals before the grant is believed").isPositive();
  }

  @Test
  void aClockSetBackDoesNotHideThatTheMachineSleptBeforeIt() {
    Grant grant = hold();
    holder.network = World.down();
    holder.seam.sleep(Duration.ofSeconds(12));
    world.time.advance(Duration.ofSeconds(1));
    holder.seam.stepWallClock(Duration.ofSeconds(-30));
    assertThat(grant.isHeld()).isTrue();
    world.time.advance(Duration.ofSeconds(2));
    assertThat(grant.isHeld()).isFalse();
  }

  @Test
  void whoeverLooksBetweenASetBackAndASleepIsNotDeceivedAfterIt() {
    Grant grant = hold();
    holder.seam.stepWallClock(Duration.ofSeconds(-30));
    assertThat(grant.isHeld()).isTrue();
    holder.seam.sleep(Duration.ofSeconds(20));
    assertThat(grant.isHeld()).isFalse();
  }

  @Test
  void aSteppedWallClockCostsOneRenewal() {
    Grant grant = hold();
    holder.seam.stepWallClock(Duration.ofHours(1));
    assertThat(grant.isHeld()).isFalse();
    grant.check();
    assertThat(grant.isHeld()).isTrue();
    holder.seam.stepWallClock(Duration.ofHours(-2));
    assertThat(grant.isHeld()).isTrue();
    world.time.advance(Duration.ofMinutes(10));
    assertThat(grant.isHeld()).isTrue();
  }

  @Test
  void noRenewalThatFailsIsTheLast() {
    Grant grant = hold();
    int[] renewals = {0};
    holder.network =
        sent -> {
          if (sent.is("renew") && renewals[0]++ % 3 != 2) {
            throw renewals[0] % 2 == 0
                ? World.answerLost()
                : new IllegalStateException("something nobody thought of");
          }
          return sent.pass();
        };
    world.time.advance(Duration.ofHours(1));
    assertThat(grant.isHeld()).isTrue();
    assertThat(states()).isEmpty();
    assertThat(holder.events).hasAtLeastOneElementOfType(LockEvent.HeartbeatFailed.class);
  }

  @Test
  void aHeartbeatThatHangsIsSentAnew() {
    Grant grant = hold();
    int[] renewals = {0};
    holder.network =
        sent -> {
          if (sent.is("renew") && renewals[0]++ % 2 == 0) {
            throw new VirtualSeam.Hang();
          }
          return sent.pass();
        };
    world.time.advance(Duration.ofHours(1));
    assertThat(grant.isHeld()).isTrue();
    assertThat(states()).isEmpty();
  }

  @Test
  void aSessionThatTheStoreHasEndedExpiresAtTheNextHeartbeat() {
    Grant grant = hold();
    List<LossReason> losses = new ArrayList<>();
    grant.onLost(losses::add);
    world.store.loseEverything();
    world.time.advance(Duration.ofSeconds(6));
    assertThat(grant.isHeld()).isFalse();
    assertThat(losses).containsExactly(LossReason.SESSION_ENDED);
    assertThatThrownBy(grant::check)
        .isInstanceOfSatisfying(
            LockLostException.class,
            lost -> assertThat(lost.reason()).isEqualTo(LossReason.SESSION_ENDED));
  }

  @Test
  void anUnreachableStoreIsNotAskedInATightLoop() {
    hold();
    holder.network = World.down();
    holder.calls.clear();
    assertThatThrownBy(() -> holder.client.lock("b").acquire(Duration.ofMinutes(10)))
        .isInstanceOf(io.holdfast.error.BackendUnreachableException.class)
        .hasMessageContaining("network is down");
    // Once a second at most for the wait, and 20 a TTL for the session while it lasts.
    assertThat(holder.calls).hasSizeLessThan(750);
  }

  /** The bound is for one TTL, however many heartbeats that has. */
  @Test
  void aStoreWhoseClockJumpsInSmallStepsIsReportedOnce() {
    hold();
    for (int i = 0; i < 3; i++) {
      world.store.stepClock(Duration.ofMillis(600));
      world.time.advance(World.TTL.dividedBy(3));
    }
    assertThat(holder.events)
        .filteredOn(LockEvent.ClockSkewed.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            LockEvent.ClockSkewed.class,
            skewed ->
                assertThat(skewed.store().minus(skewed.own())).isEqualTo(Duration.ofMillis(1200)));
  }

  @Test
  void aStoreWhoseClockIsSetALittleNowAndThenIsNoReason() {
    hold();
    for (int i = 0; i < 5; i++) {
      world.store.stepClock(Duration.ofMillis(600));
      world.time.advance(World.TTL.multipliedBy(2));
    }
    assertThat(holder.events).doesNotHaveAnyElementsOfTypes(LockEvent.ClockSkewed.class);
  }

  @Test
  void aStoreWhoseClockJumpsIsReported() {
    hold();
    world.time.advance(Duration.ofSeconds(7));
    world.store.stepClock(Duration.ofHours(-1));
    world.time.advance(Duration.ofSeconds(5));
    assertThat(holder.events).hasAtLeastOneElementOfType(LockEvent.ClockSkewed.class);
  }

  @Test
  void aSessionThatHoldsNothingIsClosedAfterAWhile() {
    hold().release();
    world.time.advance(Duration.ofMinutes(2));
    assertThat(holder.events).hasAtLeastOneElementOfType(LockEvent.SessionClosed.class);
    assertThat(holder.client.health().sessions()).isEmpty();
    assertThat(hold().isHeld()).isTrue();
  }

  @Test
  void aBodyIsInterruptedWhenTheLeaseRunsOut() {
    holder.network = World.down().on("renew");
    assertThatThrownBy(
            () ->
                holder
                    .client
                    .lock("a")
                    .run(
                        Duration.ZERO,
                        grant -> {
                          world.time.runUntil(
                              Thread.currentThread()::isInterrupted, Duration.ofMinutes(1));
                          assertThat(Thread.currentThread().isInterrupted()).isTrue();
                          assertThat(grant.isHeld()).isFalse();
                          Thread.interrupted();
                          world.time.advance(Duration.ofMinutes(1));
                        }))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void whoseBodyEndsInJeopardyIsToldWhetherTheLockWasLost() {
    assertThatThrownBy(() -> holder.client.lock("a").run(Duration.ZERO, grant -> cutOff()))
        .isInstanceOf(LockLostException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void whoseBodyEndsInJeopardyWaitsForTheRenewalThatSavesItsGrant() {
    holder
        .client
        .lock("a")
        .run(
            Duration.ZERO,
            grant -> {
              cutOff();
              world.time.after(
                  Duration.ofSeconds(3).toNanos(), () -> holder.network = World.Sent::pass);
            });
    world.time.advance(Duration.ofSeconds(1));
    assertThat(states()).contains(SessionState.JEOPARDY, SessionState.SAFE);
  }

  private void cutOff() {
    holder.network = World.down();
    world.time.advance(Duration.ofSeconds(16));
  }

  @Test
  void aLeaseThatWasSeenToEndStaysEndedUntilItIsRenewed() {
    Grant grant = hold();
    holder.network = World.down();
    holder.seam.sleep(Duration.ofMinutes(1));
    world.time.advance(Duration.ofSeconds(11));
    assertThat(states()).contains(SessionState.JEOPARDY);
    holder.seam.stepWallClock(Duration.ofMinutes(-2));
    assertThat(grant.isHeld()).isFalse();
    assertThat(grant.remaining()).isZero();
  }

  @Test
  void aRenewalThatBringsTheNoticeOfARevocationNeverExtendsWhatWasRevoked() {
    hold();
    holder.network = World.down();
    other.client.revoke(other.client.find("a").orElseThrow(), RevokeWhen.SAFELY);
    world.time.advance(Duration.ofSeconds(17));
    holder.network = World.Sent::pass;
    world.time.advance(Duration.ofSeconds(3));
    List<String> told =
        holder.events.stream()
            .map(Object::toString)
            .filter(event -> event.contains("REVOKED") || event.contains("to=SAFE"))
            .toList();
    assertThat(told).hasSize(2);
    assertThat(told.get(0)).contains("REVOKED");
  }

  @Test
  void heartbeatsFollowATtlThatTheStoreMadeShorter() {
    Duration shorter = Duration.ofSeconds(3);
    Grant grant = hold();
    holder.network =
        sent -> {
          Object answer = sent.pass();
          return answer instanceof Renewed.Alive alive
              ? new Renewed.Alive(shorter, alive.notices(), alive.storeTime())
              : answer;
        };
    world.time.advance(Duration.ofSeconds(6)); // The first renewal has brought the new TTL.
    holder.events.clear();
    holder.calls.clear();
    world.time.advance(Duration.ofMinutes(1));
    assertThat(states()).isEmpty();
    assertThat(grant.isHeld()).isTrue();
    assertThat(holder.count("renew")).isBetween(55L, 65L);
    assertThat(holder.client.health().sessions().get(0).ttl()).isEqualTo(shorter);
  }

  @Test
  void theFirstRenewalIsDueAThirdOfTheTtlAfterTheOpeningWasSent() {
    holder.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("open")) {
            world.time.advance(Duration.ofSeconds(4));
          }
          return answer;
        };
    hold();
    world.time.advance(Duration.ofMillis(1100));
    assertThat(holder.count("renew")).isEqualTo(1);
  }

  @Test
  void aSlowOpeningAndAMachineThatSleptAreNoSkewOfTheStoresClock() {
    World.Peer slow = world.new Peer(Duration.ofMillis(900), Optional.of(World.TTL), false);
    slow.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("open")) {
            world.time.advance(Duration.ofSeconds(4));
          }
          return answer;
        };
    assertThat(slow.client.lock("b").acquire(Duration.ofMinutes(1)).isHeld()).isTrue();
    world.time.advance(Duration.ofSeconds(5));
    assertThat(slow.events).doesNotHaveAnyElementsOfTypes(LockEvent.ClockSkewed.class);
    hold();
    holder.seam.sleep(Duration.ofHours(1));
    world.time.advance(Duration.ofSeconds(15));
    holder.seam.stepWallClock(Duration.ofHours(1));
    world.time.advance(Duration.ofSeconds(15));
    assertThat(holder.events).doesNotHaveAnyElementsOfTypes(LockEvent.ClockSkewed.class);
  }
}
