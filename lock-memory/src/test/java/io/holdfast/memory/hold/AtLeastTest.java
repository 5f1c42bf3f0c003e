package io.holdfast.memory.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.ReleaseOutcome;
import io.holdfast.Sequencer;
import io.holdfast.error.LockTimeoutException;
import io.holdfast.memory.world.World;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.tck.time.VirtualSeam;
import io.holdfast.view.MultiGrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Locks that stay taken for a least time, and lock-delays. */
class AtLeastTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final AcquireOptions ONCE = AcquireOptions.once();

  private final World world = new World(Wakeup.POLL);
  private final World.Peer one = world.process();
  private final World.Peer other = world.process();

  private Grant take(AcquireOptions options) {
    return one.client.lock("a").acquire(options);
  }

  private boolean isFree() {
    return other.client.lock("a").tryAcquire().map(Grant::release).isPresent();
  }

  @Test
  void theLockStaysTakenForWhatIsLeftOfTheTime() {
    Grant grant = take(ONCE.atLeast(MINUTE));
    world.time.advance(Duration.ofSeconds(40));
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.STAYS);
    world.time.advance(Duration.ofSeconds(19));
    assertThat(isFree()).isFalse();
    world.time.advance(Duration.ofSeconds(2));
    assertThat(isFree()).isTrue();
  }

  @Test
  void afterItsTimeTheLockIsFreeWithTheRelease() {
    Grant grant = take(ONCE.atLeast(MINUTE));
    world.time.advance(MINUTE);
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
    assertThat(isFree()).isTrue();
  }

  /** A job that never ran is not skipped. */
  @Test
  void aGrantThatIsGivenBackUnusedLeavesTheLockFree() {
    Grant grant = take(ONCE.atLeast(MINUTE));
    assertThat(grant.releaseUnused()).isEqualTo(ReleaseOutcome.FREED);
    assertThat(grant.isHeld()).isFalse();
    assertThat(isFree()).isTrue();
  }

  @Test
  void whatWasGivenBackStaysTakenIfItIsCalledUnusedLater() {
    Grant rider = take(ONCE.shared());
    rider.handOver();
    Grant used = take(ONCE.shared().atLeast(MINUTE));
    assertThat(used.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(used.releaseUnused()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
    assertThat(rider.releaseUnused()).isEqualTo(ReleaseOutcome.STAYS);
    assertThat(isFree()).isFalse();
  }

  @Test
  void aReleaseOfTheUnusedThatIsNotAnsweredLeavesTheLockFree() {
    Grant grant = take(ONCE.atLeast(MINUTE));
    one.network = World.down().on("release", "releaseAfter");
    assertThat(grant.releaseUnused()).isEqualTo(ReleaseOutcome.PENDING);
    one.network = World.Sent::pass;
    world.time.advance(Duration.ofSeconds(10));
    assertThat(isFree()).isTrue();
  }

  @Test
  void whoIsTurnedAwayIsToldWhy() {
    take(ONCE.atLeast(MINUTE).why("nightly")).release();
    assertThatThrownBy(() -> other.client.lock("a").acquire(Duration.ZERO))
        .isInstanceOf(LockTimeoutException.class)
        .hasMessageContaining("nightly")
        .hasMessageContaining("gave it back")
        .hasMessageContaining("ms left");
  }

  /** The last of those that share a request leaves for the longest of their times. */
  @Test
  void theLongestTimeOfThoseThatRideCounts() {
    Grant rider = take(ONCE.shared());
    rider.handOver();
    Grant longest = take(ONCE.shared().atLeast(MINUTE));
    assertThat(longest.release()).isEqualTo(ReleaseOutcome.SHARED);
    assertThat(rider.release()).isEqualTo(ReleaseOutcome.STAYS);
    assertThat(isFree()).isFalse();
    assertThat(other.client.lock("a").tryAcquire(ONCE.shared())).isPresent();
  }

  @Test
  void aWaiterIsGrantedTheLockSoonAfterTheTime() {
    take(ONCE.atLeast(MINUTE)).release();
    Grant next = other.client.lock("a").acquire(MINUTE.multipliedBy(2));
    assertThat(next.isHeld()).isTrue();
    assertThat(world.time.nanos()).isBetween(MINUTE.toNanos(), MINUTE.plusSeconds(2).toNanos());
  }

  /** As above, and it learns of the end of the delay from its looks. */
  @Test
  void aWaiterIsGrantedTheLockSoonAfterTheDelay() {
    take(ONCE.lockDelay(MINUTE).ttl(Duration.ofSeconds(3)));
    one.network = World.down();
    long diedNanos = world.time.nanos();
    Grant next = other.client.lock("a").acquire(MINUTE.multipliedBy(3));
    assertThat(next.isHeld()).isTrue();
    assertThat(world.time.nanos() - diedNanos)
        .isBetween(MINUTE.toNanos(), MINUTE.plusSeconds(12).toNanos());
  }

  /** A resource that asks lets its late writes in: nobody else can write meanwhile. */
  @Test
  void theNumberOfAHolderThatHasDiedIsCurrentForTheRestOfItsLockDelay() {
    Sequencer ofDead = take(ONCE.lockDelay(MINUTE).ttl(Duration.ofSeconds(3))).sequencer();
    one.network = World.down();
    world.time.advance(Duration.ofSeconds(10));
    assertThat(isFree()).as("the lock of a session that has just been ended").isFalse();
    assertThat(other.client.find("a").flatMap(LockRecord::holder).map(Holder::liveness))
        .contains(Liveness.STAYING);
    assertThat(other.client.isCurrent(ofDead)).isTrue();
    world.time.advance(MINUTE.plusSeconds(1));
    assertThat(isFree()).isTrue();
    assertThat(other.client.isCurrent(ofDead)).isFalse();
  }

  @Test
  void aTimeThatIsMovedToItsEndLeavesWhatIsLeftOfTheLeastTime() {
    Grant grant = take(ONCE.atLeast(MINUTE).atMost(MINUTE.multipliedBy(2)));
    grant.extend(Duration.ofSeconds(1));
    world.time.advance(Duration.ofSeconds(5));
    assertThat(grant.isHeld()).isFalse();
    assertThat(isFree()).isFalse();
    world.time.advance(MINUTE);
    assertThat(isFree()).isTrue();
  }

  /** The session is not idle while a release of it is repeated. */
  @Test
  void theSessionLivesUntilTheReleaseIsAnswered() {
    Grant grant = take(ONCE.atLeast(Duration.ofHours(1)));
    one.network = World.down().on("release", "releaseAfter");
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.PENDING);
    world.time.advance(World.TTL.multipliedBy(6));

    one.network = World.Sent::pass;
    world.time.advance(Duration.ofSeconds(10));

    assertThat(isFree()).isFalse();
  }

  /** Until then a thread that asked for the same could hope to ride on it. */
  @Test
  void aReaderInLineAsksForItselfOnceTheLeastTimeOfTheOtherCounts() {
    AcquireOptions shared = AcquireOptions.within(Duration.ofHours(1)).shared();
    List<CompletableFuture<Grant>> readers = new ArrayList<>();
    one.network =
        sent -> {
          if (sent.is("look")) {
            throw World.unreachable(); // So it is not known whether others wait.
          }
          if (sent.is("grab") && readers.isEmpty() && one.count("grab") == 2) {
            world.time.advance(World.TTL);
            readers.add(one.client.lock("a").acquireAsync(shared));
            assertThat(readers.get(0)).isNotDone();
          }
          return sent.pass();
        };
    MultiGrant both = one.client.lockAll(List.of("a", "b"), shared.atLeast(MINUTE));
    world.time.advance(Duration.ZERO);
    assertThat(readers.get(0)).isDone();
    assertThat(readers.get(0).join().isHeld()).isTrue();
    assertThat(both.isHeld()).isTrue();
  }

  @Test
  void closingInsistsOnAReleaseThatStays() {
    Grant grant = take(ONCE.atLeast(Duration.ofHours(1)));
    one.network = World.down().on("release", "releaseAfter");
    world.after(Duration.ofMillis(800), () -> one.network = World.Sent::pass);

    one.client.close();

    assertThat(grant.isHeld()).isFalse();
    assertThat(isFree()).isFalse();
  }

  @Test
  void closingWaitsForNoGrabOfAnotherLockBeforeItReleases() {
    take(ONCE.atLeast(Duration.ofHours(1)));
    one.seam.latency(Duration.ofMillis(300));
    World.Network hangs =
        sent -> {
          throw new VirtualSeam.Hang();
        };
    one.network = hangs.on("grab");
    CompletableFuture<Grant> never = one.client.lock("b").acquireAsync();
    world.time.advance(Duration.ofMillis(1));

    one.client.close();
    world.time.advance(World.TTL.multipliedBy(3));

    assertThat(never).isCompletedExceptionally();
    assertThat(isFree()).isFalse();
  }
}
