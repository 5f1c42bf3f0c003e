package io.holdfast.memory.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.BadRequestException;
import io.holdfast.memory.view.Threads.Running;
import io.holdfast.view.LockView;
import io.holdfast.view.ReadWriteLockView;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * What {@link java.util.concurrent.locks.ReadWriteLock} and the re-entrant one of the JDK promise,
 * on {@code readWriteLock(name)}. docs/jsr166.md says which test stands for which of JSR-166's.
 */
@SuppressWarnings("LockNotBeforeTry") // What a test leaves locked is what it is about.
abstract class ReadWriteLockViewContract extends ViewContract {

  private final ReadWriteLockView lock = client.readWriteLock("a");
  private final LockView read = lock.readLock();
  private final LockView write = lock.writeLock();
  private final List<LockView> both = List.of(read, write);

  ReadWriteLockViewContract(Threads threads) {
    super(threads);
  }

  @Test
  void bothAreLockedAndUnlocked() {
    assertThat(List.of(read.mode(), write.mode()))
        .containsExactly(LockMode.SHARED, LockMode.EXCLUSIVE);
    for (LockView view : both) {
      view.lock();
      assertHeld(view, 1);
      assertHeld(view == read ? write : read, 0);
      view.unlock();
      assertHeld(view, 0);
    }
  }

  @Test
  void holdsOfEachAreCounted() {
    countsTo(write, DEPTH);
    countsTo(read, DEPTH);
  }

  @Test
  void whatIsNotLockedIsNotUnlocked() {
    both.forEach(ViewContract::assertIsNotHeldBy);
    read.lock();
    assertIsNotHeldBy(write);
    read.unlock();
    write.lock();
    assertIsNotHeldBy(read);
    write.unlock();
  }

  @Test
  void bothAreInterruptibleWhileAnotherWrites() {
    write.lock();
    for (LockView view : both) {
      assertIsInterruptible(view::lockInterruptibly);
      assertIsInterruptible(() -> triesForLong(view));
    }
    assertHeld(write, 1);
    write.unlock();
  }

  @Test
  void bothAreTakenInterruptiblyWhenTheyAreFree() throws InterruptedException {
    for (LockView view : both) {
      view.lockInterruptibly();
      view.unlock();
      assertThat(triesForLong(view)).isTrue();
      view.unlock();
    }
  }

  @Test
  void neitherIsHadWhileAnotherWrites() {
    write.lock();
    threads.elsewhere(
        () -> {
          for (LockView view : both) {
            assertThat(view.tryLock()).isFalse();
            long begin = System.nanoTime();
            assertThat(triesBriefly(view)).isFalse();
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(50_000_000);
          }
        });
    assertHeld(write, 1);
    write.unlock();
  }

  @Test
  void tryLockTakesTheWriteLockAndReenters() {
    assertThat(write.tryLock()).isTrue();
    assertThat(write.tryLock()).isTrue();
    assertHeld(write, 2);
    write.unlock();
    write.unlock();
  }

  @Test
  void readersHoldTogether() {
    read.lock();
    threads.elsewhere(
        () -> {
          assertThat(read.tryLock()).isTrue();
          read.unlock();
          assertThat(triesForLong(read)).isTrue();
          read.unlock();
          locksAndUnlocks(read);
          assertThat(write.tryLock()).isFalse();
        });
    read.unlock();
  }

  @Test
  void aWriterWaitsForAllHoldsOfReaders() {
    read.lock();
    read.lock();
    threads.elsewhere(() -> locksAndUnlocks(read));
    Running writer =
        threads
            .start(
                () -> {
                  write.lock();
                  assertThat(lock.toString()).endsWith("[Write locks = 1, Read locks = 0]");
                  write.unlock();
                })
            .waits();
    read.unlock();
    writer.waits();
    assertHeld(read, 1);
    read.unlock();
    writer.ends();
  }

  @Test
  void readersWaitForAWriter() {
    write.lock();
    Running one = threads.start(() -> locksAndUnlocks(read)).waits();
    Running other = threads.start(() -> locksAndUnlocks(read)).waits();
    write.unlock();
    one.ends();
    other.ends();
  }

  @Test
  void aReaderThatComesAfterAWriterWaitsBehindIt() {
    read.lock();
    AtomicBoolean written = new AtomicBoolean();
    Running writer =
        threads
            .start(
                () -> {
                  write.lock();
                  written.set(true);
                  write.unlock();
                })
            .waits();
    Running reader =
        threads
            .start(
                () -> {
                  read.lock();
                  assertThat(written).isTrue();
                  read.unlock();
                })
            .waits();
    assertHeld(read, 1);
    read.unlock();
    writer.ends();
    reader.ends();
  }

  /** Unlike the JDK's, whose readers barge with tryLock(). */
  @Test
  void tryLockOfAReaderDoesNotPassAWriterThatWaits() {
    read.lock();
    Running writer = threads.start(() -> locksAndUnlocks(write)).waits();
    threads.elsewhere(() -> assertThat(read.tryLock()).isFalse());
    assertThat(read.tryLock()).isTrue();
    read.unlock();
    read.unlock();
    writer.ends();
  }

  @Test
  void aWriterReadsToo() {
    write.lock();
    Grant grant = write.grant().orElseThrow();
    assertThat(read.tryLock()).isTrue();
    assertThat(read.grant()).containsSame(grant);
    assertHeld(read, 1);
    read.unlock();
    assertHeld(write, 1);
    write.unlock();
  }

  @Test
  void aWriterReentersBothAlthoughOthersWait() {
    write.lock();
    locksAndUnlocks(read);
    Running reader = threads.start(() -> locksAndUnlocks(read)).waits();
    Running writer = threads.start(() -> locksAndUnlocks(write)).waits();
    for (LockView view : both) {
      locksAndUnlocks(view);
      assertHeld(write, 1);
    }
    write.lock();
    assertHeld(write, 2);
    write.unlock();
    assertHeld(write, 1);
    write.unlock();
    reader.ends();
    writer.ends();
  }

  @Test
  void aReaderReentersAlthoughAWriterWaits() {
    read.lock();
    Running writer = threads.start(() -> locksAndUnlocks(write)).waits();
    read.lock();
    read.unlock();
    writer.waits();
    read.unlock();
    writer.ends();
  }

  @Test
  void aWriterThatGoesOnReadingLetsReadersInAndNoWriter() {
    write.lock();
    read.lock();
    write.lock();
    Grant grant = write.grant().orElseThrow();
    FencingToken exclusive = grant.token();
    Running writer = threads.start(() -> locksAndUnlocks(write)).waits();
    write.unlock();
    assertThat(grant.mode()).isEqualTo(LockMode.EXCLUSIVE);
    write.unlock();
    assertThat(grant.mode()).isEqualTo(LockMode.SHARED);
    assertThat(grant.token()).isGreaterThan(exclusive);
    assertThat(read.grant()).containsSame(grant);
    assertHeld(read, 1);
    assertHeld(write, 0);
    writer.waits();
    read.unlock();
    writer.ends();
  }

  @Test
  void aReaderThatAsksToWriteIsToldInsteadOfWaitingForItself() {
    read.lock();
    assertThat(write.tryLock()).isFalse();
    assertThatThrownBy(write::lock).isInstanceOf(AlreadyHeldException.class);
    assertThatThrownBy(write::lockInterruptibly).isInstanceOf(AlreadyHeldException.class);
    assertThatThrownBy(() -> triesForLong(write)).isInstanceOf(AlreadyHeldException.class);
    assertHeld(read, 1);
    read.unlock();
    write.lock();
    write.unlock();
  }

  @Test
  void whoDowngradedDoesNotWriteAgain() {
    write.lock();
    read.lock();
    write.unlock();
    assertThat(write.tryLock()).isFalse();
    assertThatThrownBy(write::lock).isInstanceOf(AlreadyHeldException.class);
    read.unlock();
    assertThat(write.tryLock()).isTrue();
    write.unlock();
  }

  /** The application reaches the grant, and may do this by itself. */
  @Test
  void aGrantThatTheApplicationDowngradedIsNoWriteLock() {
    write.lock();
    write.grant().orElseThrow().downgrade();
    assertThat(write.isHeldByCurrentThread()).isFalse();
    assertThat(write.tryLock()).isFalse();
    assertThatThrownBy(write::lock).isInstanceOf(AlreadyHeldException.class);
    assertThat(read.tryLock()).isTrue();
    read.unlock();
    write.unlock();
    threads.elsewhere(() -> assertThat(write.tryLock()).isTrue());
  }

  @Test
  void otherThreadsReadBesideOneThatDowngraded() {
    write.lock();
    read.lock();
    CountDownLatch mayUnlock = new CountDownLatch(1);
    Running other =
        threads
            .start(
                () -> {
                  read.lock();
                  mayUnlock.await();
                  read.unlock();
                })
            .waits();
    write.unlock();
    read.unlock();
    mayUnlock.countDown();
    other.ends();
  }

  @Test
  void thereAreNoConditions() {
    for (LockView view : both) {
      assertThatThrownBy(view::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void bothModesHaveTheSameOptions() {
    ReadWriteLockView why = client.readWriteLock("a", AcquireOptions.forever().why("nightly"));
    for (LockView view : List.of(why.readLock(), why.writeLock())) {
      view.lock();
      assertThat(client.find("a").orElseThrow().holder().orElseThrow().why()).isEqualTo("nightly");
      view.unlock();
    }
    assertThatThrownBy(() -> client.readWriteLock("a", AcquireOptions.forever().shared()))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> client.readWriteLock("a", AcquireOptions.once()))
        .isInstanceOf(BadRequestException.class);
  }

  @Test
  void textTellsTheState() {
    assertThat(lock.toString()).endsWith("[Write locks = 0, Read locks = 0]");
    write.lock();
    assertThat(lock.toString()).endsWith("[Write locks = 1, Read locks = 0]");
    write.lock();
    assertThat(lock.toString()).endsWith("[Write locks = 2, Read locks = 0]");
    assertThat(write.toString()).contains("[Locked by thread ");
    write.unlock();
    write.unlock();
    assertThat(write.toString()).endsWith("[Unlocked]");
    assertThat(read.toString()).endsWith("[Read locks = 0]");
    read.lock();
    read.lock();
    assertThat(lock.toString()).endsWith("[Write locks = 0, Read locks = 2]");
    assertThat(read.toString()).endsWith("[Read locks = 2]");
    threads.elsewhere(
        () -> {
          read.lock();
          assertThat(read.toString()).endsWith("[Read locks = 3]");
          read.unlock();
        });
    read.unlock();
    assertThat(read.toString()).endsWith("[Read locks = 1]");
    read.unlock();
  }
}
