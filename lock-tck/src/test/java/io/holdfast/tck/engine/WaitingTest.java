package io.holdfast.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.BackendUnreachableException;
import io.holdfast.BadRequestException;
import io.holdfast.ClientClosedException;
import io.holdfast.Grant;
import io.holdfast.LockInterruptedException;
import io.holdfast.LockLostException;
import io.holdfast.LockTimeoutException;
import io.holdfast.LossReason;
import io.holdfast.ReleaseOutcome;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.time.VirtualSeam;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waiting, handing over, lost replies and giving up. */
class WaitingTest {

  private static final Duration LONG = Duration.ofHours(1);

  private void after(World world, Duration delay, Runnable task) {
    world.time.after(delay.toNanos(), task);
  }

  @ParameterizedTest
  @EnumSource
  void aLockIsHandedToTheNextWaiterSoon(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    Grant held = first.client.lock("a").acquire();
    after(
        world,
        Duration.ofMinutes(3),
        () -> assertThat(held.release()).isEqualTo(ReleaseOutcome.HANDED_ON));
    Grant next = second.client.lock("a").acquire(LONG);
    assertThat(next.token()).isGreaterThan(held.token());
    assertThat(Duration.ofNanos(world.time.nanos()))
        .isLessThan(Duration.ofMinutes(3).plusMillis(100));
  }

  @ParameterizedTest
  @EnumSource
  void aWaiterThatGivesUpLeavesNothingBehind(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    Grant held = first.client.lock("a").acquire();
    assertThatThrownBy(() -> second.client.lock("a").acquire(Duration.ofSeconds(3)))
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContaining("\"a\"")
        .hasMessageContaining("PT3S");
    world.time.advance(Duration.ofSeconds(1));
    assertThat(first.client.find("a").orElseThrow().waiters()).isEmpty();
    assertThat(held.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedWaitHoldsNothing(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    Grant held = first.client.lock("a").acquire();
    Thread self = Thread.currentThread();
    after(world, Duration.ofSeconds(3), self::interrupt);
    assertThatThrownBy(() -> second.client.lock("a").acquire())
        .isInstanceOf(LockInterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    world.time.advance(Duration.ofSeconds(1));
    assertThat(first.client.find("a").orElseThrow().waiters()).isEmpty();
    held.release();
  }

  @ParameterizedTest
  @EnumSource
  void aThreadThatIsInterruptedWhileItsGrabIsAnsweredHoldsNothing(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    process.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("grab")) {
            Thread.currentThread().interrupt();
          }
          return answer;
        };
    assertThatThrownBy(() -> process.client.lock("a").acquire())
        .isInstanceOf(LockInterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void aHolderThatDiesWithTheNextInLineStrandsNobody(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    World.Peer third = world.process();
    first.client.lock("a").acquire();
    after(
        world,
        Duration.ofSeconds(1),
        () -> {
          // Second waits behind first when both die; third comes later.
          after(
              world,
              Duration.ofSeconds(10),
              () -> {
                first.network = dead();
                second.network = dead();
              });
          after(
              world,
              Duration.ofSeconds(2),
              () -> {
                Grant grant = third.client.lock("a").acquire(LONG);
                assertThat(Duration.ofNanos(world.time.nanos())).isLessThan(Duration.ofSeconds(40));
                grant.release();
              });
        });
    assertThatThrownBy(() -> second.client.lock("a").acquire(Duration.ofSeconds(60)))
        .isInstanceOf(BackendUnreachableException.class);
    assertThat(third.calls).contains("overtake");
  }

  private static World.Network dead() {
    return sent -> {
      throw new VirtualSeam.Hang();
    };
  }

  @ParameterizedTest
  @EnumSource
  void anAttemptTakesTheLockOfADeadHolder(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    Grant held = first.client.lock("a").acquire();
    first.network = dead();
    world.time.advance(Duration.ofSeconds(17));
    Optional<Grant> taken = second.client.lock("a").tryAcquire();
    assertThat(taken).isPresent();
    assertThat(taken.get().token()).isGreaterThan(held.token());
  }

  @ParameterizedTest
  @EnumSource
  void aSessionOverWhileItsRequestWaitsMeansWaitingAgainUnderAFreshOne(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    Grant held = first.client.lock("a").acquire();
    after(world, Duration.ofSeconds(1), () -> second.network = dead());
    after(world, Duration.ofMinutes(2), () -> second.network = World.Sent::pass);
    after(world, Duration.ofMinutes(3), held::release);
    Grant next = second.client.lock("a").acquire(LONG);
    assertThat(next.isHeld()).isTrue();
    assertThat(first.client.find("a").orElseThrow().waiters()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aGrabWhoseAnswerWasLostIsRepeatedAndIsOneGrant(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<Object> numbers = new ArrayList<>();
    process.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("grab")) {
            numbers.add(answer);
            if (numbers.size() < 3) {
              throw World.answerLost();
            }
          }
          return answer;
        };
    Grant grant = process.client.lock("a").acquire(LONG);
    assertThat(numbers).hasSize(3);
    assertThat(numbers.get(2)).isEqualTo(numbers.get(0));
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @ParameterizedTest
  @EnumSource
  void aLateCopyOfAGrabIsTakenBack(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<World.Sent> copies = new ArrayList<>();
    process.network =
        sent -> {
          if (sent.is("grab") && copies.isEmpty()) {
            copies.add(sent);
            throw World.answerLost();
          }
          return sent.pass();
        };
    process.client.lock("a").acquire(LONG).release();
    copies.get(0).arrive();
    assertThat(world.process().client.lock("a").tryAcquire()).isEmpty();
    world.time.advance(Duration.ofSeconds(6));
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void aLateCopyOfARefusedOrGivenUpGrabIsTakenBack(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<World.Sent> copies = new ArrayList<>();
    process.network =
        sent -> {
          if (sent.is("grab")) {
            copies.add(sent);
            throw World.answerLost();
          }
          return sent.pass();
        };
    assertThatThrownBy(() -> process.client.lock("a").tryAcquire())
        .isInstanceOf(BackendUnreachableException.class);
    assertThatThrownBy(() -> process.client.lock("b").acquire(Duration.ofSeconds(2)))
        .isInstanceOf(BackendUnreachableException.class);
    // Something else keeps the session in use.
    process.network = World.Sent::pass;
    process.client.lock("c").acquire();
    world.time.advance(Duration.ofMinutes(1));
    copies.forEach(World.Sent::arrive);
    world.time.advance(Duration.ofSeconds(6));
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
    assertThat(world.process().client.lock("b").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void anOvertakeThatArrivesAfterItsWaiterGaveUpIsTakenBack(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer dead = world.process();
    World.Peer waiter = world.process();
    dead.client.lock("a").acquire();
    dead.network = dead();
    waiter.client.lock("another").acquire(); // Keeps the session in use.
    List<World.Sent> copies = new ArrayList<>();
    waiter.network =
        sent -> {
          if (sent.is("overtake")) {
            copies.add(sent);
            throw new VirtualSeam.Hang();
          }
          return sent.pass();
        };
    // The dead holder's time is over after 16 s, and a heartbeat finds that at 20 s at the latest.
    assertThatThrownBy(() -> waiter.client.lock("a").acquire(Duration.ofSeconds(21)))
        .isInstanceOf(LockTimeoutException.class);
    assertThat(copies).isNotEmpty();
    world.time.advance(Duration.ofMillis(100));
    waiter.network = World.Sent::pass;
    copies.forEach(World.Sent::arrive);
    world.time.advance(Duration.ofSeconds(6));
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void tooManyUnsettledRequestsMeanAFreshSession(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    Grant kept = process.client.lock("kept").acquire();
    for (int i = 0; i < 40; i++) {
      process.network =
          sent -> {
            if (sent.is("grab")) {
              throw World.answerLost();
            }
            return sent.pass();
          };
      String name = "lock " + i;
      assertThatThrownBy(() -> process.client.lock(name).tryAcquire())
          .isInstanceOf(BackendUnreachableException.class);
    }
    process.network = World.Sent::pass;
    assertThat(process.count("open")).isEqualTo(2);
    world.time.advance(Duration.ofMinutes(1));
    assertThat(kept.isHeld()).isTrue();
    assertThat(process.client.health().sessions()).hasSizeGreaterThanOrEqualTo(1);
    kept.release();
    world.time.advance(Duration.ofSeconds(1));
    assertThat(process.count("end")).isGreaterThanOrEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void anOpeningThatWasNotAnsweredIsNeverRepeated(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    List<World.Sent> openings = new ArrayList<>();
    process.network =
        sent -> {
          if (sent.is("open")) {
            openings.add(sent);
            if (openings.size() == 1) {
              throw World.answerLost();
            }
          }
          return sent.pass();
        };
    process.client.lock("a").acquire(LONG);
    assertThat(openings).hasSize(2);
    assertThat(openings.get(0).args().get(0)).isNotEqualTo(openings.get(1).args().get(0));
  }

  @ParameterizedTest
  @EnumSource
  void aReleaseThatFailsIsRepeatedUntilItSucceeds(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    World.Peer other = world.process();
    Grant grant = process.client.lock("a").acquire();
    int[] releases = {0};
    process.network =
        sent -> {
          if (sent.is("release") && releases[0]++ < 5) {
            throw releases[0] % 2 == 0 ? World.unreachable() : World.answerLost();
          }
          return sent.pass();
        };
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.PENDING);
    assertThat(grant.isHeld()).isFalse();
    assertThat(other.client.lock("a").tryAcquire()).isEmpty();
    world.time.advance(Duration.ofSeconds(2));
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
  }

  @ParameterizedTest
  @EnumSource
  void aReleaseThatNeverSucceedsHoldsTheLockForNobodyForLong(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    Grant grant = process.client.lock("a").acquire();
    process.network =
        sent -> {
          if (sent.is("release")) {
            throw World.unreachable();
          }
          return sent.pass();
        };
    grant.release();
    world.time.advance(Duration.ofMinutes(2));
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void aRevokedHolderIsToldAndTheLockPassesOnWhenItGivesBack(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer holder = world.process();
    World.Peer operator = world.process();
    Grant grant = holder.client.lock("a").acquire();
    List<LossReason> losses = new ArrayList<>();
    grant.onLost(losses::add);
    Revocation marked =
        operator.client.revoke(operator.client.find("a").orElseThrow(), RevokeWhen.SAFELY);
    assertThat(marked).isInstanceOf(Revocation.Marked.class);
    assertThat(operator.client.lock("a").tryAcquire()).isEmpty();
    world.time.advance(Duration.ofSeconds(6));
    assertThat(grant.isHeld()).isFalse();
    assertThat(losses).containsExactly(LossReason.REVOKED);
    assertThatThrownBy(grant::check).isInstanceOf(LockLostException.class);
    // It is told, but may still have to stop what it does.
    assertThat(operator.client.lock("a").tryAcquire()).isEmpty();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.LOST);
    world.time.advance(Duration.ofMillis(100));
    assertThat(operator.client.lock("a").tryAcquire()).isPresent();
    // And once it has given up, it is not told for ever.
    world.time.advance(Duration.ofMinutes(1));
    assertThat(holder.count("acknowledge")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aRevokedLockPassesOnAfterAWholeTtlEvenIfItsHolderDoesNotGiveItBack(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer holder = world.process();
    World.Peer other = world.process();
    Grant grant = holder.client.lock("a").acquire();
    Grant unaffected = holder.client.lock("b").acquire();
    other.client.revoke(other.client.find("a").orElseThrow(), RevokeWhen.SAFELY);
    world.time.advance(Duration.ofSeconds(15));
    assertThat(other.client.lock("a").tryAcquire()).isEmpty();
    world.time.advance(Duration.ofSeconds(2));
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
    assertThat(grant.isHeld()).isFalse();
    assertThat(unaffected.isHeld()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aGrantRevokedBeforeItsAnswerArrivedIsNeverBelieved(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer holder = world.process();
    World.Peer operator = world.process();
    holder.client.lock("other").acquire(); // The session is open.
    boolean[] revoked = {false};
    holder.network =
        sent -> {
          Object answer = sent.pass();
          if (sent.is("grab") && !revoked[0]) {
            revoked[0] = true;
            operator.client.revoke(operator.client.find("a").orElseThrow(), RevokeWhen.SAFELY);
            world.time.advance(Duration.ofSeconds(6)); // A heartbeat brings the notice.
          }
          return answer;
        };
    assertThat(holder.client.lock("a").tryAcquire()).isEmpty();
    world.time.advance(Duration.ofMillis(100));
    assertThat(operator.client.lock("a").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void revokingARecordThatHasChangedDoesNothing(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer holder = world.process();
    World.Peer operator = world.process();
    Grant first = holder.client.lock("a").acquire();
    var seen = operator.client.find("a").orElseThrow();
    first.release();
    Grant second = holder.client.lock("a").acquire();
    assertThat(operator.client.revoke(seen, RevokeWhen.NOW)).isInstanceOf(Revocation.Changed.class);
    world.time.advance(Duration.ofMinutes(1));
    assertThat(second.isHeld()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void closingGivesEverythingBackAtOnce(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    Grant a = first.client.lock("a").acquire();
    first.client.lock("b").acquire();
    after(world, Duration.ofSeconds(1), first.client::close);
    assertThat(second.client.lock("a").acquire(LONG).isHeld()).isTrue();
    assertThat(Duration.ofNanos(world.time.nanos())).isLessThan(Duration.ofSeconds(2));
    assertThat(second.client.lock("b").tryAcquire()).isPresent();
    assertThat(a.isHeld()).isFalse();
    assertThat(a.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
    assertThatThrownBy(() -> first.client.lock("a").tryAcquire())
        .isInstanceOf(ClientClosedException.class);
    first.client.close();
  }

  @ParameterizedTest
  @EnumSource
  void closingEndsWaits(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    Grant held = first.client.lock("a").acquire();
    after(world, Duration.ofSeconds(1), second.client::close);
    assertThatThrownBy(() -> second.client.lock("a").acquire())
        .isInstanceOf(ClientClosedException.class);
    assertThat(first.client.find("a").orElseThrow().waiters()).isEmpty();
    assertThat(held.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  @ParameterizedTest
  @EnumSource
  void closingReturnsWithinABoundWhenTheStoreIsSilent(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    process.client.lock("a").acquire();
    process.network = dead();
    process.client.close();
    assertThat(Duration.ofNanos(world.time.nanos())).isLessThan(Duration.ofSeconds(10));
  }

  @ParameterizedTest
  @EnumSource
  void anExitWithdrawsWaitsButLetsGrantsEndWithTheirLease(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    Grant grant = process.client.lock("a").acquire();
    process.seam.exit();
    assertThat(grant.isHeld()).isTrue();
    assertThat(world.process().client.lock("a").tryAcquire()).isEmpty();
    World.Peer releasing = world.new Peer(World.TTL, Optional.empty(), true);
    releasing.client.lock("b").acquire();
    releasing.seam.exit();
    assertThat(world.process().client.lock("b").tryAcquire()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void anExitOfAHolderDoesNotEndBeforeItsWaitsAreWithdrawn(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer other = world.process();
    World.Peer exiting = world.process();
    other.client.lock("b").acquire();
    Grant kept = exiting.client.lock("a").acquire();
    after(
        world,
        Duration.ofSeconds(1),
        () -> {
          exiting.seam.exit();
          assertThat(other.client.find("b").orElseThrow().waiters()).isEmpty();
        });
    assertThatThrownBy(() -> exiting.client.lock("b").acquire())
        .isInstanceOf(ClientClosedException.class);
    assertThat(kept.isHeld()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aThreadThatAsksForWhatItHoldsIsToldSo(Wakeup wakeup) {
    World.Peer process = new World(wakeup).process();
    Grant grant = process.client.lock("a").acquire();
    assertThatThrownBy(() -> process.client.lock("a").acquire())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("not re-entrant");
    assertThat(grant.isHeld()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aNinthTtlIsABadRequest(Wakeup wakeup) {
    World.Peer process = new World(wakeup).process();
    for (int i = 1; i <= 8; i++) {
      process.client.lock("a" + i).acquire(AcquireOptions.once().ttl(Duration.ofSeconds(i)));
    }
    assertThatThrownBy(
            () ->
                process.client.lock("b").acquire(AcquireOptions.once().ttl(Duration.ofSeconds(9))))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("8 distinct TTLs");
    assertThatThrownBy(
            () -> process.client.lock("b").acquire(AcquireOptions.once().ttl(Duration.ofNanos(1))))
        .isInstanceOf(BadRequestException.class);
  }

  @ParameterizedTest
  @EnumSource
  void aTtlAboveTheNamespacesIsRefusedBeforeAnythingChanges(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    assertThatThrownBy(
            () ->
                process
                    .client
                    .lock("a")
                    .acquire(AcquireOptions.forever().ttl(Duration.ofMinutes(2))))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("maxTtl");
    assertThat(process.client.find("a")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void waitersAskRarelyHoweverManyTheyAre(Wakeup wakeup) {
    World world = new World(wakeup);
    Grant held = world.process().client.lock("a").acquire();
    List<World.Peer> waiters = new ArrayList<>();
    long[] looks = {0};
    after(world, Duration.ofMinutes(1), () -> waiters.forEach(waiter -> waiter.calls.clear()));
    after(
        world,
        Duration.ofMinutes(2),
        () -> looks[0] = waiters.stream().mapToLong(waiter -> waiter.count("look")).sum());
    for (int i = 0; i < 50; i++) {
      World.Peer waiter = world.process();
      waiters.add(waiter);
      after(
          world,
          Duration.ZERO,
          () ->
              assertThat(
                      waiter
                          .client
                          .lock("a")
                          .tryAcquire(AcquireOptions.within(Duration.ofMinutes(3))))
                  .isEmpty());
    }
    world.time.advance(Duration.ofMinutes(4));
    // Heartbeats make 12 a minute each; the steady pace of all together is bounded besides.
    assertThat(looks[0]).isBetween(500L, wakeup == Wakeup.PUSH ? 650L : 650L + 60 * 110);
    held.release();
  }
}
