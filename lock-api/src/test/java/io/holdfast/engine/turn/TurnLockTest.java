package io.holdfast.engine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class TurnLockTest {

  private final TurnLock lock = new TurnLock();
  private int turns;

  private void turn(Runnable step) {
    lock.lock();
    try {
      step.run();
    } finally {
      lock.unlock();
    }
  }

  @Test
  void whoWaitsHasItsTurnHoweverBusyOthersAre() throws InterruptedException {
    for (int round = 0; round < 20; round++) {
      turns = 0;
      int[] turnsBefore = new int[1];
      Thread heartbeat = new Thread(() -> turn(() -> turnsBefore[0] = turns));
      turn(
          () -> {
            heartbeat.start();
            while (!lock.hasQueuedThreads()) {
              Thread.onSpinWait();
            }
          });
      while (heartbeat.isAlive()) {
        turn(() -> turns++);
      }
      assertThat(turnsBefore[0]).isLessThanOrEqualTo(TurnLock.PASSING_MAX + 1);
    }
  }

  @Test
  void itIsTheLockOfOneThreadAtATime() throws InterruptedException {
    Thread[] threads = new Thread[4];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                for (int round = 0; round < 10_000; round++) {
                  turn(() -> turns++);
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(turns).isEqualTo(40_000);
    assertThat(lock.isLocked()).isFalse();
  }
}
