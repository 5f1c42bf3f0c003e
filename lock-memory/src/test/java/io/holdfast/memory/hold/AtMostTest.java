package io.holdfast.memory.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.world.World;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Grants with a longest time to hold them. */
class AtMostTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final World world = new World(Wakeup.POLL);
  private final World.Peer one = world.process();

  private Grant take(Duration atMost) {
    return one.client.lock("a").acquire(AcquireOptions.once().atMost(atMost));
  }

  @Test
  void theGrantIsLostAndReleasedWhenItsTimeIsOver() {
    Grant grant = take(MINUTE);
    List<LossReason> losses = new ArrayList<>();
    grant.onLost(losses::add);
    world.time.advance(MINUTE.minusMillis(1));
    assertThat(grant.isHeld()).isTrue();
    assertThat(grant.remaining()).isEqualTo(Duration.ofMillis(1));
    world.time.advance(Duration.ofMillis(1));
    assertThat(grant.isHeld()).isFalse();
    world.time.advance(Duration.ofMillis(10));
    assertThat(losses).containsExactly(LossReason.AT_MOST_REACHED);
    assertThatThrownBy(grant::check)
        .isInstanceOf(LockLostException.class)
        .hasMessageContaining("AT_MOST_REACHED");
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.LOST);
  }

  @Test
  void theEndCanBeMovedInBothDirections() {
    Grant grant = take(MINUTE);
    for (int i = 0; i < 10; i++) {
      world.time.advance(MINUTE.minusSeconds(1));
      grant.extend(MINUTE);
    }
    assertThat(grant.isHeld()).isTrue();
    grant.extend(Duration.ofSeconds(1));
    world.time.advance(Duration.ofSeconds(1));
    assertThat(grant.isHeld()).isFalse();
    assertThatThrownBy(() -> grant.extend(MINUTE)).isInstanceOf(LockLostException.class);
  }

  /** The timer may be late; the clock decides. */
  @Test
  void whatIsOverCannotBeExtendedAlthoughNoTimerHasFired() {
    List<Throwable> refusals = new ArrayList<>();
    List<Grant> granted = new ArrayList<>();
    // Runs at the same moment as the timer, and before it.
    world.after(MINUTE, () -> refusals.add(catchThrowable(() -> granted.get(0).extend(MINUTE))));
    granted.add(take(MINUTE));
    world.time.advance(MINUTE);
    assertThat(refusals).hasSize(1).first().isInstanceOf(LockLostException.class);
    world.time.advance(Duration.ofSeconds(1));
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  /** Nor does it matter here that the timer is late. */
  @Test
  void whatIsGivenBackAfterItsTimeIsOverWasLost() {
    List<ReleaseOutcome> outcomes = new ArrayList<>();
    List<LossReason> losses = new ArrayList<>();
    List<Grant> granted = new ArrayList<>();
    world.after(MINUTE, () -> outcomes.add(granted.get(0).release()));
    granted.add(one.client.lock("a").acquire(AcquireOptions.once().cached().atMost(MINUTE)));
    granted.get(0).onLost(losses::add);
    world.time.advance(MINUTE.plusSeconds(1));
    assertThat(outcomes).containsExactly(ReleaseOutcome.LOST);
    assertThat(losses).containsExactly(LossReason.AT_MOST_REACHED);
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void aCheckInJeopardyEndsWhenTheTimeIsOver() {
    Grant grant = take(Duration.ofSeconds(16));
    one.network = World.dead();
    world.time.advance(Duration.ofMillis(15_500));
    assertThat(grant.isHeld()).isFalse();
    assertThatThrownBy(grant::check)
        .isInstanceOfSatisfying(
            LockLostException.class,
            lost -> assertThat(lost.reason()).isEqualTo(LossReason.AT_MOST_REACHED));
    assertThat(Duration.ofNanos(world.time.nanos())).isEqualTo(Duration.ofSeconds(16));
  }

  @Test
  void aGrantThatIsGivenBackInTimeIsNotLost() {
    Grant grant = take(MINUTE);
    List<LossReason> losses = new ArrayList<>();
    grant.onLost(losses::add);
    assertThat(grant.release()).isEqualTo(ReleaseOutcome.FREED);
    Grant next = one.client.lock("a").acquire();
    world.time.advance(MINUTE.multipliedBy(3));
    assertThat(losses).isEmpty();
    assertThat(next.isHeld()).isTrue();
    assertThatThrownBy(() -> grant.extend(MINUTE)).isInstanceOf(LockLostException.class);
  }

  @Test
  void badTimesAreRefused() {
    for (Duration bad : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofDays(40_000))) {
      assertThatThrownBy(() -> AcquireOptions.once().atMost(bad))
          .isInstanceOf(BadRequestException.class);
      Grant grant = take(MINUTE);
      assertThatThrownBy(() -> grant.extend(bad)).isInstanceOf(BadRequestException.class);
      assertThat(grant.remaining()).isPositive();
      grant.release();
    }
  }

  @Test
  void aGrantWithoutAnEndCannotBeExtended() {
    Grant grant = one.client.lock("a").acquire();
    assertThatThrownBy(() -> grant.extend(MINUTE))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("atMost");
    assertThat(grant.isHeld()).isTrue();
  }

  @Test
  void aReleaseThatFailsIsRepeatedInTheBackground() {
    Grant grant = take(MINUTE);
    one.network = World.down().on("release");
    world.time.advance(MINUTE.plusSeconds(20));
    assertThat(grant.isHeld()).isFalse();
    one.network = World.Sent::pass;
    world.time.advance(MINUTE);
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void ofACachedLockItEndsTheGrantAndNotWhatIsTakenLater() {
    AcquireOptions options = AcquireOptions.once().cached().atMost(MINUTE);
    Grant first = one.client.lock("a").acquire(options);
    assertThat(first.release()).isEqualTo(ReleaseOutcome.KEPT);
    world.time.advance(Duration.ofSeconds(10));
    Grant second = one.client.lock("a").acquire(options);
    assertThat(second.token().number()).isEqualTo(first.token().number());
    world.time.advance(MINUTE.minusSeconds(1));
    assertThat(second.isHeld()).isTrue();
    world.time.advance(Duration.ofSeconds(1));
    assertThat(second.isHeld()).isFalse();
    world.time.advance(Duration.ofSeconds(1));
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void theThreadMayAskAgainWhenItsTimeIsUpAlthoughNoTimerHasFired() {
    List<Grant> again = new ArrayList<>();
    world.after(
        MINUTE, () -> again.add(one.client.lock("a").acquire(AcquireOptions.within(MINUTE))));
    Grant grant = take(MINUTE);
    world.time.advance(MINUTE);
    assertThat(grant.isHeld()).isFalse();
    assertThat(again).singleElement().matches(Grant::isHeld);
  }

  /** Another thread of this client shares it on other terms, and asks again. */
  @Test
  void whatIsOverIsReleasedByAThreadThatIsToldItHoldsTheLockAlready() {
    AcquireOptions shared = AcquireOptions.once().shared();
    List<Throwable> refusals = new ArrayList<>();
    List<LossReason> losses = new ArrayList<>();
    world.after(
        MINUTE,
        () -> refusals.add(catchThrowable(() -> one.client.lock("a").acquire(shared.why("y")))));
    Grant over = one.client.lock("a").acquire(shared.why("x").atMost(MINUTE));
    over.onLost(losses::add);
    over.handOver();
    Grant held = one.client.lock("a").acquire(shared.why("y"));
    world.time.advance(MINUTE.plusSeconds(1));
    assertThat(refusals).singleElement().isInstanceOf(AlreadyHeldException.class);
    assertThat(losses).containsExactly(LossReason.AT_MOST_REACHED);
    held.release();
    assertThat(world.process().client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void theEndOfAGrantThatIsLostCannotBeMoved() {
    Grant grant = one.client.lock("a").acquire();
    one.client.close();
    assertThatThrownBy(() -> grant.extend(MINUTE)).isInstanceOf(LockLostException.class);
  }
}
