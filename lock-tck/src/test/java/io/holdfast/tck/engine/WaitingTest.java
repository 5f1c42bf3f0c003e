package io.holdfast.tck.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.BackendUnreachableException;
import io.holdfast.BadRequestException;
import io.holdfast.Grant;
import io.holdfast.LockInterruptedException;
import io.holdfast.LockTimeoutException;
import io.holdfast.ReleaseOutcome;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
}
