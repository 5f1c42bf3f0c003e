package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LockQueueFullException;
import io.holdfast.memory.world.World;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.answer.Attempt;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long a caller waits, and what it is told, also when the store behaves oddly. */
class MaxWaitTest {

  private final World world = new World(Wakeup.POLL);
  private final World.Peer process = world.process();

  @Test
  void aWaitLongerThanAnyClockCountsIsForEver() {
    Grant grant = process.client.lock("a").acquire(ChronoUnit.FOREVER.getDuration());
    assertThat(grant.isHeld()).isTrue();
    Duration tooLongForMillis = Duration.ofSeconds(Long.MAX_VALUE);
    assertThatThrownBy(
            () -> process.client.lock("b").acquire(AcquireOptions.once().ttl(tooLongForMillis)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("TTL");
    assertThatThrownBy(() -> Holdfast.builder().grace(tooLongForMillis))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("grace");
    assertThatThrownBy(() -> Holdfast.builder().heartbeat(tooLongForMillis))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("heartbeat");
  }

  @Test
  void aWaiterThatFollowsAnImpatientOneHasTheStoreAnswerInItsOwnTime() {
    List<Duration> deadlines = new ArrayList<>();
    process.client.lock("open").acquire().release();
    process.network =
        sent -> {
          if (sent.is("grab")) {
            deadlines.add(((Deadline) sent.args().get(1)).remaining());
            if (deadlines.size() < 3) {
              throw World.answerLost();
            }
          }
          return sent.pass();
        };
    assertThat(process.client.lock("a").acquire(Duration.ofSeconds(1)).isHeld()).isTrue();
    assertThat(deadlines)
        .containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(5));
  }

  @Test
  void aStoreThatEndsEverySessionIsNotAskedInATightLoop() {
    process.network =
        sent -> {
          Object answer = sent.pass();
          return sent.is("grab") ? new Attempt.SessionOver() : answer;
        };
    assertThatThrownBy(() -> process.client.lock("a").acquire(Duration.ofMinutes(1)))
        .isInstanceOf(BackendUnreachableException.class)
        .hasMessageContaining("\"a\"")
        .hasMessageContaining("memory:world");
    assertThat(process.count("open")).isBetween(10L, 80L);
    assertThatThrownBy(() -> process.client.lock("a").tryAcquire())
        .isInstanceOf(BackendUnreachableException.class)
        .hasMessageContaining("\"a\"")
        .hasMessageContaining("memory:world");
  }

  @Test
  void whereAsManyWaitAsMayTheNextIsTurnedAwayAndLeavesNothing() {
    World full = new World(Wakeup.POLL, 2);
    Grant held = full.process().client.lock("a").acquire();
    full.join("a", 2);
    World.Peer third = full.process();
    assertThatThrownBy(() -> third.client.lock("a").acquire(Duration.ofSeconds(3)))
        .isInstanceOf(LockQueueFullException.class)
        .hasMessageContaining("\"a\"")
        .hasMessageContaining("maxWaiters");
    assertThat(third.client.find("a").orElseThrow().waiters()).hasSize(2);
    assertThat(held.release()).isEqualTo(ReleaseOutcome.HANDED_ON);
  }

  @Test
  void aFullQueueOfTheDeadIsClearedByWhomeverItKeepsOut() {
    World small = new World(Wakeup.POLL, 10);
    small.joinAndDie("a", 11);
    small.time.advance(Duration.ofMinutes(1));
    assertThat(small.process().client.lock("a").acquire(Duration.ofMinutes(5)).isHeld()).isTrue();
  }

  @Test
  void aFullQueueOfTheDeadBehindALivingHolderIsCleared() {
    World small = new World(Wakeup.POLL, 10);
    Grant held = small.process().client.lock("a").acquire();
    small.joinAndDie("a", 10);
    World.Peer third = small.process();
    small.time.advance(Duration.ofMinutes(1));
    small.after(Duration.ofSeconds(5), held::release);
    assertThat(third.client.lock("a").acquire(Duration.ofMinutes(5)).isHeld()).isTrue();
  }

  @Test
  void oneAttemptTakesTheLockFromAllThatHaveDied() {
    world.shareAndDie("a", 30);
    world.time.advance(Duration.ofMinutes(1));
    assertThat(process.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void aThreadWhoseGrantIsBeingGivenBackMayAskAgain() {
    Grant grant = process.client.lock("a").acquire();
    process.network =
        sent -> {
          if (sent.is("release")) {
            assertThat(process.client.lock("a").tryAcquire()).isEmpty();
          }
          return sent.pass();
        };
    grant.release();
    assertThat(process.client.lock("a").tryAcquire()).isPresent();
  }
}
