package io.holdfast.engine.turn;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock around a client's state, which is held for well below a microsecond.
 *
 * <p>If it always went to the thread that has waited longest, each turn would wait for that thread
 * to be woken, which takes a hundred times as long as a turn; and once a few threads wait, all that
 * come after them have to. If it went to the thread that comes first, a heartbeat could wait for as
 * long as the application's threads are busy. So threads that come may pass those that wait, but
 * only so many times; then it goes to the first in line.
 */
final class TurnLock extends ReentrantLock {

  private static final long serialVersionUID = 1L;

  /** How many turns may pass the thread that has waited longest. */
  static final int PASSING_MAX = 256;

  /** How many have. Written by the thread that holds the lock; another may be late by one turn. */
  private volatile int passing;

  TurnLock() {
    super(true);
  }

  @Override
  public void lock() {
    if (passing < PASSING_MAX && tryLock()) { // Takes it although others wait.
      // Read again: others may have passed since.
      passing(hasQueuedThreads() ? 1 + passing : 0);
    } else {
      super.lock();
      passing(0);
    }
  }

  private void passing(int now) {
    if (passing != now) {
      passing = now;
    }
  }
}
