package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.memory.world.World;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.answer.Attempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waiting, handing over and giving up. */
class WaitingTest {

  private static final Duration LONG = Duration.ofHours(1);

  @ParameterizedTest
  @EnumSource
  void aLockIsHandedToTheNextWaiterSoon(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    Grant held = first.client.lock("a").acquire();
    world.after(
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
        .hasMessageContaining("Timed out after 3 s waiting for the lock \"a\"");
    world.time.advance(Duration.ofSeconds(1));
    assertThat(first.client.find("a").orElseThrow().waiters()).isEmpty();
    assertThat(held.release()).isEqualTo(ReleaseOutcome.FREED);
  }

  /** It is the reason of another user, and ends up in logs. */
  @Test
  void theReasonOfTheHolderIsToldWithoutControlCharacters() {
    World world = new World(Wakeup.POLL);
    AcquireOptions odd = AcquireOptions.once().why("red\u001b[31m\nINFO all is well\u2028\u202e");
    Grant held = world.process().client.lock("a").acquire(odd);
    assertThatThrownBy(() -> world.process().client.lock("a").acquire(Duration.ZERO))
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContaining("(red\ufffd[31m\ufffdINFO all is well\ufffd\ufffd)");
    held.release();
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedWaitHoldsNothing(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    Grant held = first.client.lock("a").acquire();
    Thread self = Thread.currentThread();
    world.after(Duration.ofSeconds(3), self::interrupt);
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
  void aWaitThatEndsWhileTheStoreIsAwaySaysSo(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    world.process().client.lock("a").acquire();
    world.after(Duration.ofSeconds(1), () -> process.network = World.down());
    assertThatThrownBy(() -> process.client.lock("a").acquire(Duration.ofSeconds(10)))
        .isInstanceOf(BackendUnreachableException.class);
  }

  @ParameterizedTest
  @EnumSource
  void aWaitThatEndsAfterTheStoreWasAwaySaysThatOthersHold(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer process = world.process();
    world.process().client.lock("a").acquire();
    world.after(Duration.ofSeconds(1), () -> process.network = World.down());
    world.after(Duration.ofSeconds(8), () -> process.network = World.Sent::pass);
    assertThatThrownBy(() -> process.client.lock("a").acquire(Duration.ofSeconds(11)))
        .isInstanceOf(LockTimeoutException.class);
  }

  @ParameterizedTest
  @EnumSource
  void aHolderThatDiesWithTheNextInLineStrandsNobody(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    World.Peer third = world.process();
    first.client.lock("a").acquire();
    world.after(
        Duration.ofSeconds(1),
        () -> {
          // Second waits behind first when both die; third comes later.
          world.after(
              Duration.ofSeconds(10),
              () -> {
                first.network = World.dead();
                second.network = World.dead();
              });
          world.after(
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

  @ParameterizedTest
  @EnumSource
  void anAttemptTakesTheLockOfADeadHolder(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    Grant held = first.client.lock("a").acquire();
    first.network = World.dead();
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
    world.after(Duration.ofSeconds(1), () -> second.network = World.dead());
    world.after(Duration.ofMinutes(2), () -> second.network = World.Sent::pass);
    world.after(Duration.ofMinutes(3), held::release);
    Grant next = second.client.lock("a").acquire(LONG);
    assertThat(next.isHeld()).isTrue();
    assertThat(first.client.find("a").orElseThrow().waiters()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aThreadThatAsksForWhatItHoldsIsToldSo(Wakeup wakeup) {
    World.Peer process = new World(wakeup).process();
    Grant grant = process.client.lock("a").acquire();
    assertThatThrownBy(() -> process.client.lock("a").acquire())
        .isInstanceOf(AlreadyHeldException.class)
        .hasMessageContaining("not re-entrant");
    assertThat(process.client.lock("a").tryAcquire()).isEmpty();
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
    world.after(Duration.ofMinutes(1), () -> waiters.forEach(waiter -> waiter.calls.clear()));
    world.after(
        Duration.ofMinutes(2),
        () -> looks[0] = waiters.stream().mapToLong(waiter -> waiter.count("look")).sum());
    for (int i = 0; i < 50; i++) {
      World.Peer waiter = world.process();
      waiters.add(waiter);
      world.after(
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

  /** A waiter looks when what is ahead falls due, not only by its own heartbeat. */
  @ParameterizedTest
  @EnumSource
  void aHolderOfAShortTtlThatDiesIsFollowedSoonByAWaiterOfALongOne(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    first.client.lock("a").acquire(withTtl(Duration.ofSeconds(3)));
    first.network = World.dead();

    second.client.lock("a").acquire(withTtl(Duration.ofSeconds(60)));

    assertThat(Duration.ofNanos(world.time.nanos()))
        .as("a TTL of 3 s, the clock step of 1 s, and a look")
        .isLessThan(Duration.ofSeconds(5));
  }

  /** The same of a holder that lives but was revoked, and keeps what it has. */
  @ParameterizedTest
  @EnumSource
  void aRevokedHolderOfAShortTtlIsFollowedSoonByAWaiterOfALongOne(Wakeup wakeup) {
    World world = new World(wakeup);
    LockClient operator = world.process().client;
    AtomicLong revokedNanos = new AtomicLong();
    world.process().client.lock("a").acquire(withTtl(Duration.ofSeconds(3)));
    world.after(
        Duration.ofSeconds(10),
        () -> {
          revokedNanos.set(world.time.nanos());
          operator.revoke(operator.find("a").orElseThrow(), RevokeWhen.SAFELY);
        });

    world.process().client.lock("a").acquire(withTtl(Duration.ofSeconds(60)));

    assertThat(revokedNanos.get()).isPositive();
    assertThat(Duration.ofNanos(world.time.nanos() - revokedNanos.get()))
        .as("a TTL of 3 s, the clock step of 1 s, and a look")
        .isLessThan(Duration.ofSeconds(5));
  }

  /** What the heartbeat's look tells counts for the waiter's own timer. */
  @Test
  void aWaiterThatAHeartbeatFindsNextInLineLooksBriskly() {
    World world = new World(Wakeup.POLL);
    Grant held = world.process().client.lock("a").acquire();
    List<Runnable> ahead = world.join("a", 100);
    AtomicLong releasedNanos = new AtomicLong();
    world.after(Duration.ofSeconds(6), () -> ahead.forEach(Runnable::run));
    world.after(
        Duration.ofMillis(10_200),
        () -> {
          releasedNanos.set(world.time.nanos());
          held.release();
        });

    world.process().client.lock("a").acquire(withTtl(Duration.ofSeconds(15)));

    assertThat(Duration.ofNanos(world.time.nanos() - releasedNanos.get()))
        .as("from the release to the grant")
        .isLessThan(Duration.ofMillis(300));
  }

  /** An overtake that the store puts off is not asked for again before its time. */
  @ParameterizedTest
  @EnumSource
  void anOvertakeThatIsPutOffIsRepeatedWhenItsTimeHasCome(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer first = world.process();
    World.Peer second = world.process();
    first.client.lock("a").acquire();
    first.network = World.dead();
    Duration guard = Duration.ofSeconds(60);
    second.network =
        sent -> {
          long left = guard.toNanos() - world.time.nanos();
          boolean isHotLoop = second.count("overtake") > 1000;
          return sent.is("overtake") && left > 0 && !isHotLoop
              ? new Attempt.Delayed(Duration.ofNanos(left), "a guard of the test's")
              : sent.pass();
        };

    second.client.lock("a").acquire(LONG);

    assertThat(second.count("overtake")).isLessThanOrEqualTo(3);
    assertThat(Duration.ofNanos(world.time.nanos())).isLessThan(guard.plusSeconds(8));
  }

  /** Nor is a grab: many that wait for the end of a guard do not ask once a second each. */
  @Test
  void grabsThatArePutOffAreRepeatedOnceTheirTimeHasCome() {
    World world = new World(Wakeup.PUSH);
    World.Peer process = world.process();
    Duration guard = Duration.ofSeconds(60);
    process.network =
        sent -> {
          long left = guard.toNanos() - world.time.nanos();
          return sent.is("grab") && left > 0
              ? new Attempt.Delayed(Duration.ofNanos(left), "a guard of the test's")
              : sent.pass();
        };

    process.client.lock("a").acquire(LONG);

    assertThat(process.count("grab")).isEqualTo(2);
    assertThat(Duration.ofNanos(world.time.nanos())).isLessThan(guard.plusSeconds(2));
  }

  /** Else all that waited come together in the moment when it ends. */
  @Test
  void grabsThatArePutOffTogetherAreNotRepeatedTogether() {
    World world = new World(Wakeup.PUSH);
    World.Peer process = world.process();
    Duration guard = Duration.ofSeconds(60);
    List<Duration> granted = new ArrayList<>();
    process.network =
        sent -> {
          long left = guard.toNanos() - world.time.nanos();
          if (!sent.is("grab")) {
            return sent.pass();
          } else if (left > 0) {
            return new Attempt.Delayed(Duration.ofNanos(left), "a guard of the test's");
          }
          granted.add(Duration.ofNanos(world.time.nanos()));
          return sent.pass();
        };

    int waits = 20;
    for (int i = 0; i < waits; i++) {
      String name = "a" + i;
      world.after(Duration.ofMillis(i), () -> process.client.lock(name).acquire(LONG));
    }
    world.time.advance(guard.plusSeconds(3));

    assertThat(granted).hasSize(waits);
    assertThat(Collections.max(granted).minus(Collections.min(granted)))
        .as("between the first and the last of %d", waits)
        .isGreaterThan(Duration.ofMillis(200));
  }

  private static AcquireOptions withTtl(Duration ttl) {
    return AcquireOptions.within(LONG).ttl(ttl);
  }
}
