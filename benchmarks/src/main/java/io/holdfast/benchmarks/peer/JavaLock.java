package io.holdfast.benchmarks.peer;

import java.util.concurrent.locks.Lock;

/** Peers whose locks are those of java.util.concurrent. */
final class JavaLock {

  private JavaLock() {}

  /** Does nothing in between that could fail. */
  @SuppressWarnings("LockNotBeforeTry")
  static void takeAndGiveBack(Lock lock) {
    lock.lock();
    lock.unlock();
  }
}
