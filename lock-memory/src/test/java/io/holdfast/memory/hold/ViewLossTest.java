package io.holdfast.memory.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.world.World;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.answer.Released;
import io.holdfast.view.LockView;
import io.holdfast.view.ReadWriteLockView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What a thread is told that loses a lock which it has locked through a view, once or twice. */
@SuppressWarnings("LockNotBeforeTry") // What is left locked is what these tests are about.
class ViewLossTest {

  private static final Duration INTO_JEOPARDY = World.TTL.plusMillis(500);
  private static final Duration BEYOND_GRACE = World.TTL.multipliedBy(2).plusSeconds(1);

  private final World world = new World(Wakeup.POLL);
  private final World.Peer one = world.process();
  private final World.Peer other = world.process();
  private final LockView lock = one.client.lock("a").asLock();

  private static void assertLoss(ThrowingCallable unlock, LossReason reason) {
    assertThatThrownBy(unlock)
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasMessageContaining("lost")
        .cause()
        .isInstanceOfSatisfying(
            LockLostException.class, lost -> assertThat(lost.reason()).isEqualTo(reason));
  }

  private void dies() {
    one.network = World.dead();
  }

  private void recovers() {
    one.network = World.Sent::pass;
  }

  private void revoke() {
    other.client.revoke(other.client.find("a").orElseThrow(), RevokeWhen.SAFELY);
    world.time.advance(World.TTL);
  }

  @Test
  void reentryMakesNoCall() {
    ReadWriteLockView both = one.client.readWriteLock("a");
    both.writeLock().lock();
    one.calls.clear();
    both.writeLock().lock();
    lock.lock();
    assertThat(lock.tryLock()).isTrue();
    both.readLock().lock();
    lock.unlock();
    lock.unlock();
    both.readLock().unlock();
    both.writeLock().unlock();
    assertThat(one.calls).isEmpty();
    lock.unlock();
    assertThat(one.calls).containsExactly("release");
  }

  @Test
  void whatIsLostIsNotReenteredAndEveryUnlockSaysSo() throws InterruptedException {
    lock.lock();
    lock.lock();
    FencingToken token = lock.grant().orElseThrow().token();
    revoke();
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThat(lock.holdCount()).isEqualTo(2);
    assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class);
    assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(LockLostException.class);
    assertThatThrownBy(lock::tryLock).isInstanceOf(LockLostException.class);
    assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.DAYS)).isInstanceOf(LockLostException.class);
    assertLoss(lock::unlock, LossReason.REVOKED);
    assertThat(lock.holdCount()).isEqualTo(1);
    assertLoss(lock::unlock, LossReason.REVOKED);
    assertThat(lock.holdCount()).isZero();
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class).hasNoCause();
    world.time.advance(Duration.ofSeconds(1));
    lock.lock();
    assertThat(lock.grant().orElseThrow().token()).isGreaterThan(token);
    lock.unlock();
  }

  /** The application may be at work under it until then. */
  @Test
  void aRevokedLockPassesOnWithTheLastUnlock() {
    lock.lock();
    lock.lock();
    other.client.revoke(other.client.find("a").orElseThrow(), RevokeWhen.SAFELY);
    world.time.advance(World.TTL.dividedBy(2));
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertLoss(lock::unlock, LossReason.REVOKED);
    world.time.advance(Duration.ofSeconds(1));
    assertThat(other.client.lock("a").tryAcquire()).isEmpty();
    assertLoss(lock::unlock, LossReason.REVOKED);
    world.time.advance(Duration.ofSeconds(1));
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void inJeopardyTryLockDoesNotWaitAndLockWaitsForTheRenewal() throws InterruptedException {
    lock.lock();
    dies();
    world.time.advance(INTO_JEOPARDY);
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    long beganNanos = world.time.nanos();
    assertThat(lock.tryLock()).isFalse();
    assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
    assertThat(world.time.nanos()).isEqualTo(beganNanos);
    assertThat(lock.tryLock(2, TimeUnit.SECONDS)).isFalse();
    assertThat(Duration.ofNanos(world.time.nanos() - beganNanos)).isEqualTo(Duration.ofSeconds(2));
    world.after(Duration.ofSeconds(1), this::recovers);
    lock.lock();
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    assertThat(lock.holdCount()).isEqualTo(2);
    lock.unlock();
    lock.unlock();
  }

  @Test
  void inJeopardyLockWaitsThroughAnInterruptAndTheOthersDoNot() {
    lock.lock();
    dies();
    world.time.advance(INTO_JEOPARDY);
    Thread self = Thread.currentThread();
    world.after(Duration.ofMillis(100), self::interrupt);
    assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
    assertThat(self.isInterrupted()).isFalse();
    world.after(Duration.ofMillis(100), self::interrupt);
    assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.HOURS))
        .isInstanceOf(InterruptedException.class);
    assertThat(self.isInterrupted()).isFalse();
    world.after(Duration.ofMillis(100), self::interrupt);
    world.after(Duration.ofSeconds(1), this::recovers);
    lock.lock();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(lock.holdCount()).isEqualTo(2);
  }

  @Test
  void aWaitInJeopardyEndsWithTheLoss() {
    lock.lock();
    dies();
    world.time.advance(INTO_JEOPARDY);
    assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class);
    assertLoss(lock::unlock, LossReason.LEASE_EXPIRED);
  }

  /** The store has kept it for the thread until then. */
  @Test
  void anUnlockInJeopardyThatTheStoreAnswersIsNone() {
    lock.lock();
    dies();
    world.time.advance(INTO_JEOPARDY);
    recovers();
    assertThatCode(lock::unlock).doesNotThrowAnyException();
  }

  @Test
  void anUnlockInJeopardyThatIsNotAnsweredMayBeALoss() {
    lock.lock();
    dies();
    world.time.advance(INTO_JEOPARDY);
    assertLoss(lock::unlock, LossReason.LEASE_EXPIRED);
    assertThat(lock.holdCount()).isZero();
  }

  /** Another thread of this client shares it, so the store is not asked. */
  @Test
  void anUnlockInJeopardyThatLeavesTheLockToAnotherThreadMayBeALoss() {
    ReadWriteLockView both = one.client.readWriteLock("a");
    Grant rider = one.client.lock("a").acquire(AcquireOptions.once().shared());
    rider.handOver();
    both.readLock().lock();
    assertThat(one.count("grab")).isEqualTo(1);
    dies();
    world.time.advance(INTO_JEOPARDY);
    assertLoss(both.readLock()::unlock, LossReason.LEASE_EXPIRED);
  }

  @Test
  void anUnlockThatLeavesTheLockToAnotherThreadIsNoLoss() {
    ReadWriteLockView both = one.client.readWriteLock("a");
    Grant rider = one.client.lock("a").acquire(AcquireOptions.once().shared());
    rider.handOver();
    both.readLock().lock();
    dies();
    assertThatCode(both.readLock()::unlock).doesNotThrowAnyException();
  }

  @Test
  void aDowngradeInJeopardyThatIsNotAnsweredMayBeALoss() {
    ReadWriteLockView both = one.client.readWriteLock("a");
    both.writeLock().lock();
    both.readLock().lock();
    dies();
    world.time.advance(INTO_JEOPARDY);
    assertLoss(both.writeLock()::unlock, LossReason.LEASE_EXPIRED);
  }

  @Test
  void anUnlockThatIsNotAnsweredIsRepeatedInTheBackground() {
    lock.lock();
    dies();
    assertThatCode(lock::unlock).doesNotThrowAnyException();
    assertThat(lock.holdCount()).isZero();
    recovers();
    world.time.advance(World.TTL);
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void whatTheStoreDoesNotKnowAnyMoreWasLost() {
    lock.lock();
    one.network = sent -> sent.is("release") ? Released.NOTHING : sent.pass();
    assertLoss(lock::unlock, LossReason.SESSION_ENDED);
  }

  @Test
  void everyEndOfAGrantIsTold() {
    LockView brief =
        one.client.lock("a").asLock(AcquireOptions.forever().atMost(Duration.ofSeconds(1)));
    brief.lock();
    world.time.advance(Duration.ofSeconds(2));
    assertLoss(brief::unlock, LossReason.AT_MOST_REACHED);
    lock.lock();
    lock.grant().orElseThrow().release();
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThatThrownBy(lock::lock).isInstanceOf(LockLostException.class);
    assertLoss(lock::unlock, LossReason.RELEASED);
    lock.lock();
    one.client.close();
    assertLoss(lock::unlock, LossReason.CLIENT_CLOSED);
  }

  @Test
  void anOrphanedLockWasLost() {
    lock.lock();
    one.client.orphan();
    assertLoss(lock::unlock, LossReason.ORPHANED);
  }

  @Test
  void aStoreThatDoesNotAnswerADowngradeIsAskedAgain() {
    ReadWriteLockView both = one.client.readWriteLock("a");
    both.writeLock().lock();
    both.readLock().lock();
    one.network = World.down().on("downgrade");
    assertThatCode(both.writeLock()::unlock).doesNotThrowAnyException();
    Grant grant = both.readLock().grant().orElseThrow();
    assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
    recovers();
    world.time.advance(World.TTL);
    assertThat(other.client.readWriteLock("a").readLock().tryLock()).isTrue();
    assertThat(both.readLock().isHeldByCurrentThread()).isTrue();
    both.readLock().unlock();
  }

  @Test
  void aLossIsToldToBothModes() {
    ReadWriteLockView both = one.client.readWriteLock("a");
    both.writeLock().lock();
    both.readLock().lock();
    dies();
    world.time.advance(BEYOND_GRACE);
    assertLoss(both.writeLock()::unlock, LossReason.LEASE_EXPIRED);
    assertThatThrownBy(both.readLock()::tryLock).isInstanceOf(LockLostException.class);
    assertLoss(both.readLock()::unlock, LossReason.LEASE_EXPIRED);
    assertThat(both.toString()).endsWith("[Write locks = 0, Read locks = 0]");
  }

  /** It would be told for ever that it holds what it has lost. */
  @Test
  void aReaderThatHasLostTheLockIsToldSoByTheWriteLock() {
    ReadWriteLockView both = one.client.readWriteLock("a");
    both.readLock().lock();
    revoke();
    LockView write = both.writeLock();
    assertThatThrownBy(write::lock).isInstanceOf(LockLostException.class);
    assertThatThrownBy(write::lockInterruptibly).isInstanceOf(LockLostException.class);
    assertThatThrownBy(write::tryLock).isInstanceOf(LockLostException.class);
    assertThatThrownBy(() -> write.tryLock(1, TimeUnit.DAYS)).isInstanceOf(LockLostException.class);
  }

  @Test
  void whatItsOwnClientGivesBackOrLeavesDuringTheUnlockIsNoLoss() {
    for (Consumer<LockClient> closing :
        List.<Consumer<LockClient>>of(LockClient::close, LockClient::orphan)) {
      World.Peer peer = world.process();
      LockView view = peer.client.lock("b").asLock();
      view.lock();
      closesAtRelease(peer, closing);
      assertThatCode(view::unlock).doesNotThrowAnyException();
      World.Peer next = world.process();
      Grant grant = next.client.lock("b").acquire();
      closesAtRelease(next, closing);
      assertThat(grant.release()).isEqualTo(ReleaseOutcome.ALREADY_RELEASED);
    }
  }

  private static void closesAtRelease(World.Peer peer, Consumer<LockClient> closing) {
    peer.network =
        sent -> {
          if (!sent.is("release")) {
            return sent.pass();
          }
          peer.network = World.Sent::pass;
          closing.accept(peer.client);
          return Released.NOTHING; // What it has given back itself meanwhile.
        };
  }

  @Test
  void aDowngradeInJeopardyThatIsRefusedMayBeALoss() {
    ReadWriteLockView both = one.client.readWriteLock("a");
    both.writeLock().lock();
    both.readLock().lock();
    one.network =
        sent -> {
          throw new BackendUnusableException("read-only");
        };
    world.time.advance(INTO_JEOPARDY);
    assertLoss(both.writeLock()::unlock, LossReason.LEASE_EXPIRED);
  }

  @Test
  void aStoreThatRefusesToDowngradeLeavesTheReaderWithTheLockAlone() {
    ReadWriteLockView both = one.client.readWriteLock("a");
    both.writeLock().lock();
    both.readLock().lock();
    one.network =
        sent -> {
          if (sent.is("downgrade")) {
            throw new BackendUnusableException("no permission");
          }
          return sent.pass();
        };
    assertThatThrownBy(both.writeLock()::unlock).isInstanceOf(BackendUnusableException.class);
    assertThat(both.writeLock().holdCount()).isZero();
    assertThat(both.writeLock().tryLock()).isFalse();
    assertThat(both.readLock().isHeldByCurrentThread()).isTrue();
    both.readLock().unlock();
    assertThat(other.client.lock("a").tryAcquire()).isPresent();
  }

  @Test
  void lockGoesOnWhileTheStoreIsAway() {
    dies();
    world.after(Duration.ofMinutes(5), this::recovers);
    lock.lock();
    assertThat(lock.isHeldByCurrentThread()).isTrue();
    lock.unlock();
  }
}
