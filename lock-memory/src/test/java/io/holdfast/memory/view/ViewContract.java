package io.holdfast.memory.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryStore;
import io.holdfast.memory.view.Threads.Running;
import io.holdfast.view.LockView;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client of a store of its own, and threads of one kind. */
@SuppressWarnings("LockNotBeforeTry") // What a test leaves locked is what it is about.
abstract class ViewContract {

  static final long LONG_SECONDS = 60;

  /** How many times a thread locks what it holds. */
  static final int DEPTH = 20;

  @RegisterExtension final Threads threads;

  private final String store = "views-" + UUID.randomUUID();
  final LockClient client =
      Holdfast.builder().defaultTtl(Duration.ofSeconds(30)).connect("memory:" + store);

  ViewContract(Threads threads) {
    this.threads = threads;
  }

  @AfterEach
  void close() {
    client.close();
    MemoryStore.forget(store);
  }

  static void assertHeld(LockView view, int times) {
    assertThat(view.isHeldByCurrentThread()).isEqualTo(times > 0);
    assertThat(view.holdCount()).isEqualTo(times);
    assertThat(view.grant().isPresent()).isEqualTo(times > 0);
  }

  /** Locks many times, and unlocks as often. */
  static void countsTo(LockView view, int depth) {
    for (int i = 1; i <= depth; i++) {
      view.lock();
      assertHeld(view, i);
    }
    for (int i = depth - 1; i >= 0; i--) {
      view.unlock();
      assertHeld(view, i);
    }
  }

  static void assertIsNotHeldBy(LockView view) {
    assertThatThrownBy(view::unlock)
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasNoCause()
        .hasMessageContaining("does not hold");
  }

  static boolean triesBriefly(LockView view) throws InterruptedException {
    return view.tryLock(50, TimeUnit.MILLISECONDS);
  }

  static boolean triesForLong(LockView view) throws InterruptedException {
    return view.tryLock(LONG_SECONDS, TimeUnit.SECONDS);
  }

  static void locksAndUnlocks(LockView view) {
    view.lock();
    view.unlock();
  }

  /** A thread that waits is interrupted; it gets an exception, and no pending interrupt. */
  void assertIsInterruptible(Threads.Task locking) {
    Running waiter =
        threads.start(
            () -> {
              assertThatThrownBy(locking::run).isInstanceOf(InterruptedException.class);
              assertThat(Thread.currentThread().isInterrupted()).isFalse();
            });
    waiter.waits().interrupt().ends();
  }
}
