package io.holdfast.memory.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.world.World;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Revoking a grant, from both sides. */
class RevocationTest {

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

  /** The thread that asks finds that the notice is over, and with it the last use of the gate. */
  @ParameterizedTest
  @EnumSource
  void whoAsksWhenTheNoticeIsOverBeforeItsTimerWaitsForItAndForTheClient(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer holder = world.process();
    World.Peer operator = world.process();
    List<CompletableFuture<Grant>> asked = new ArrayList<>();
    Duration notice = Duration.ofSeconds(20);
    Grant grant = holder.client.lock("a").acquire();
    grant.handOver();
    LockRecord seen = operator.client.find("a").orElseThrow();
    operator.client.revokeIn(seen, seen.holder().orElseThrow(), notice);
    world.time.advance(Duration.ofSeconds(6)); // It has been told.
    Duration left = grant.remaining();
    holder.seam.sleep(notice); // Its timers stand still, and time goes on.
    asked.add(holder.client.lock("a").acquireAsync(AcquireOptions.forever()));
    assertThat(left).isPositive();
    world.time.advance(Duration.ofSeconds(1));
    holder.client.close();
    assertThat(asked.get(0)).isDone();
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

  /** The store does not wait for it, so the monotonic clock, which stood still, does not count. */
  @ParameterizedTest
  @EnumSource
  void aNoticeRunsOutWhileTheMachineOfItsHolderSleeps(Wakeup wakeup) {
    World world = new World(wakeup);
    World.Peer holder = world.process();
    World.Peer other = world.process();
    Grant grant = holder.client.lock("a").acquire();
    LockRecord seen = other.client.find("a").orElseThrow();
    other.client.revokeIn(seen, seen.holder().orElseThrow(), Duration.ofSeconds(16));
    world.time.advance(Duration.ofSeconds(14));
    assertThat(grant.isHeld()).isTrue();

    holder.seam.sleep(Duration.ofSeconds(4));

    assertThat(grant.isHeld()).isFalse();
    assertThat(grant.remaining()).isZero();
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
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
}
