package io.holdfast.memory.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.BadRequestException;
import io.holdfast.memory.view.Threads.Running;
import io.holdfast.view.LockView;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What {@link java.util.concurrent.locks.Lock} and the re-entrant lock of the JDK promise, on
 * {@code asLock()}. docs/jsr166.md says which test stands for which of JSR-166's.
 */
@SuppressWarnings("LockNotBeforeTry") // What a test leaves locked is what it is about.
abstract class LockViewContract extends ViewContract {

  private final LockView lock = client.lock("a").asLock();

  LockViewContract(Threads threads) {
    super(threads);
  }

  @Test
  void aFreeLockIsLockedAndUnlocked() {
    assertHeld(lock, 0);
    lock.lock();
    assertHeld(lock, 1);
    lock.unlock();
    assertHeld(lock, 0);
    assertThat(lock.name()).isEqualTo(new LockName("a"));
    assertThat(lock.mode()).isEqualTo(LockMode.EXCLUSIVE);
  }

  @Test
  void whatIsNotLockedIsNotUnlocked() {
    assertIsNotHeldBy(lock);
    locksAndUnlocks(lock);
    assertIsNotHeldBy(lock);
  }

  @Test
  void aStrangerUnlocksNothing() {
    lock.lock();
    threads.elsewhere(
        () -> {
          assertIsNotHeldBy(lock);
          assertHeld(lock, 0);
        });
    assertHeld(lock, 1);
    lock.unlock();
  }

  @Test
  void tryLockTakesAFreeLockAndReenters() {
    assertThat(lock.tryLock()).isTrue();
    assertHeld(lock, 1);
    assertThat(lock.tryLock()).isTrue();
    assertHeld(lock, 2);
    lock.unlock();
    assertHeld(lock, 1);
    lock.unlock();
    assertHeld(lock, 0);
  }

  @Test
  void tryLockIsRefusedWhatAnotherThreadHolds() {
    lock.lock();
    threads.elsewhere(() -> assertThat(lock.tryLock()).isFalse());
    lock.unlock();
    threads.elsewhere(() -> assertThat(lock.tryLock()).isTrue());
  }

  @Test
  void tryLockDoesNotBarge() {
    lock.lock();
    CountDownLatch mayUnlock = new CountDownLatch(1);
    Running first =
        threads
            .start(
                () -> {
                  lock.lock();
                  mayUnlock.await();
                  lock.unlock();
                })
            .waits();
    Running second = threads.start(() -> locksAndUnlocks(lock)).waits();
    lock.unlock();
    assertThat(lock.tryLock()).isFalse();
    mayUnlock.countDown();
    first.ends();
    second.ends();
    lock.lock();
    lock.unlock();
  }

  @Test
  void tryLockWithATimeGivesUpWhenItIsOver() {
    lock.lock();
    threads.elsewhere(
        () -> {
          long begin = System.nanoTime();
          assertThat(triesBriefly(lock)).isFalse();
          assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(50_000_000);
          assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
          assertThat(lock.tryLock(-1, TimeUnit.DAYS)).isFalse();
          assertHeld(lock, 0);
        });
    lock.unlock();
  }

  @Test
  void tryLockWithATimeTakesAndReenters() throws InterruptedException {
    assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isTrue();
    assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
    assertHeld(lock, 2);
    Running waiter =
        threads
            .start(
                () -> {
                  assertThat(triesForLong(lock)).isTrue();
                  lock.unlock();
                })
            .waits();
    lock.unlock();
    lock.unlock();
    waiter.ends();
  }

  @Test
  void tryLockWithATimeIsInterruptible() {
    lock.lock();
    assertIsInterruptible(() -> triesForLong(lock));
    lock.unlock();
  }

  @Test
  void lockInterruptiblyTakesAndIsInterruptible() throws InterruptedException {
    lock.lockInterruptibly();
    assertHeld(lock, 1);
    assertIsInterruptible(lock::lockInterruptibly);
    assertHeld(lock, 1);
    lock.unlock();
  }

  /** As the JDK's locks have it: the interrupt comes first, also where nothing is to be awaited. */
  @Test
  void anInterruptedThreadNeitherTakesNorReenters() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertHeld(lock, 0);
    lock.lock();
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> triesForLong(lock)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    assertHeld(lock, 1);
    lock.unlock();
  }

  @Test
  void lockWaitsThroughInterrupts() {
    lock.lock();
    Running waiter =
        threads
            .start(
                () -> {
                  lock.lock();
                  assertThat(Thread.interrupted()).isTrue();
                  assertHeld(lock, 1);
                  Thread.currentThread().interrupt();
                  lock.lock();
                  assertThat(Thread.interrupted()).isTrue();
                  lock.unlock();
                  lock.unlock();
                })
            .waits()
            .interrupt()
            .waits();
    lock.unlock();
    waiter.ends();
  }

  @Test
  void tryLockAndUnlockIgnoreThatTheThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.tryLock()).isTrue();
    lock.unlock();
    lock.unlock();
    assertThat(Thread.interrupted()).isTrue();
    threads.elsewhere(() -> assertThat(lock.tryLock()).isTrue());
  }

  @Test
  void holdsAreCounted() {
    countsTo(lock, DEPTH);
    threads.elsewhere(() -> assertThat(lock.tryLock()).isTrue());
  }

  @Test
  void reentryKeepsTheGrantAndItsToken() {
    lock.lock();
    Grant grant = lock.grant().orElseThrow();
    FencingToken token = grant.token();
    lock.lock();
    assertThat(lock.grant()).containsSame(grant);
    assertThat(grant.token()).isEqualTo(token);
    lock.unlock();
    assertThat(grant.isHeld()).isTrue();
    lock.unlock();
    assertThat(grant.isHeld()).isFalse();
    lock.lock();
    assertThat(lock.grant().orElseThrow().token()).isGreaterThan(token);
    lock.unlock();
  }

  @Test
  void aThreadReentersThroughAnotherViewOfTheClient() {
    LockView other = client.lock("a").asLock(AcquireOptions.forever().why("the other"));
    lock.lock();
    other.lock();
    client.readWriteLock("a").writeLock().lock();
    assertHeld(lock, 3);
    assertHeld(other, 3);
    lock.unlock();
    lock.unlock();
    threads.elsewhere(() -> assertThat(lock.tryLock()).isFalse());
    other.unlock();
    assertHeld(lock, 0);
  }

  @Test
  void theTwoHalvesOfTheApiKnowOfEachOther() {
    Grant grant = client.lock("a").acquire();
    assertThat(lock.tryLock()).isFalse();
    assertThatThrownBy(lock::lock).isInstanceOf(AlreadyHeldException.class);
    assertThatThrownBy(() -> triesForLong(lock)).isInstanceOf(AlreadyHeldException.class);
    assertIsNotHeldBy(lock);
    grant.release();
    lock.lock();
    assertThat(client.lock("a").tryAcquire()).isEmpty();
    assertThatThrownBy(() -> client.lock("a").acquire()).isInstanceOf(AlreadyHeldException.class);
    lock.unlock();
  }

  @Test
  void aThreadThatEndsWithoutUnlockingLeavesTheLockHeld() {
    threads.elsewhere(lock::lock);
    assertThat(lock.tryLock()).isFalse();
    assertIsNotHeldBy(lock);
  }

  @Test
  void thereAreNoConditions() {
    assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void whatTheMethodsSayThemselvesIsNotAnOption() {
    assertThatThrownBy(() -> client.lock("a").asLock(AcquireOptions.within(Duration.ofDays(1))))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> client.lock("a").asLock(AcquireOptions.forever().uninterruptibly()))
        .isInstanceOf(BadRequestException.class);
  }

  @Test
  void textTellsTheState() {
    assertThat(lock.toString()).contains("a at ").endsWith("[Unlocked]");
    lock.lock();
    String name = Thread.currentThread().getName();
    assertThat(lock.toString()).endsWith("[Locked by thread " + name + "]");
    threads.elsewhere(() -> assertThat(lock.toString()).contains("[Locked by thread "));
    lock.unlock();
    assertThat(lock.toString()).endsWith("[Unlocked]");
  }
}
