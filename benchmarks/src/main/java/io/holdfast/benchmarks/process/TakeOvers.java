package io.holdfast.benchmarks.process;

import io.holdfast.LockClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * JVMs that hold a lock each are killed, while another JVM waits for all of these locks. They are
 * killed at different moments between two of their heartbeats.
 */
final class TakeOvers {

  private static final int ASKED_EVERY_MILLIS = 10;

  private final List<WorkerJvm> holders;
  private final WorkerJvm waiter;
  private final LockClient observer;
  private final Random random = new Random(1);

  TakeOvers(List<WorkerJvm> holders, WorkerJvm waiter, LockClient observer) {
    this.holders = holders;
    this.waiter = waiter;
    this.observer = observer;
  }

  /** Kills each, and returns the seconds from each kill until its lock was held again. */
  List<Double> run(Duration ttl) throws InterruptedException {
    List<CompletableFuture<Long>> held = new ArrayList<>();
    for (int i = 0; i < holders.size(); i++) {
      holders.get(i).acquire(lock(i), ttl).join();
      held.add(waiter.acquire(lock(i), ttl));
    }
    for (int i = 0; i < holders.size(); i++) {
      awaitWaiter(lock(i));
    }
    List<Long> killed = new ArrayList<>();
    for (WorkerJvm holder : holders) {
      Thread.sleep(random.nextInt((int) ttl.toMillis() / 3));
      killed.add(holder.kill());
    }
    List<Double> seconds = new ArrayList<>();
    for (int i = 0; i < holders.size(); i++) {
      seconds.add((held.get(i).join() - killed.get(i)) / 1e9);
    }
    return seconds;
  }

  private static String lock(int i) {
    return "take-over-" + i;
  }

  private void awaitWaiter(String lock) throws InterruptedException {
    while (observer.find(lock).map(record -> record.waiters().isEmpty()).orElse(true)) {
      Thread.sleep(ASKED_EVERY_MILLIS);
    }
  }
}
