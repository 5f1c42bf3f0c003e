package io.holdfast.benchmarks.counts;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Waits on a thread that is never interrupted. */
final class Pauses {

  private Pauses() {}

  /** A wait that may be interrupted. */
  private interface Wait {
    void begin() throws InterruptedException;
  }

  static void pass(Duration time) {
    uninterrupted(() -> Thread.sleep(time.toMillis()));
  }

  static void await(CountDownLatch latch) {
    uninterrupted(latch::await);
  }

  static void join(Thread thread) {
    uninterrupted(thread::join);
  }

  private static void uninterrupted(Wait wait) {
    try {
      wait.begin();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
