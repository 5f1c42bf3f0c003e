package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What one wait costs a client does not grow with its other waits. */
class ManyWaitsTest {

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int FEW = 50;
  private static final int MANY = 2_000;
  private static final int HAND_OVERS = 100;

  /** With a walk over all waits at each hint it is some thirty times. */
  private static final double RATIO_MAX = 12;

  private static final int AGAIN_MAX = 2;

  private final MemoryStore store = new MemoryStore("many", MemoryOptions.DEFAULTS);

  private LockClient client() {
    return Holdfast.builder()
        .defaultTtl(Duration.ofMinutes(1))
        .connect(store.connect(BackendOptions.DEFAULTS));
  }

  @Test
  void aHandOverCostsAsMuchWithManyOtherWaitsAsWithFew() throws Exception {
    double least = timesAsLong();
    // A machine that became slower in between is not as slow each time.
    for (int again = 0; least >= RATIO_MAX && again < AGAIN_MAX; again++) {
      least = Math.min(least, timesAsLong());
    }
    assertThat(least)
        .as("a hand-over with many waits in hand-overs with few")
        .isLessThan(RATIO_MAX);
  }

  /** Returns how many times as long a hand-over takes with many other waits as with few. */
  private double timesAsLong() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (LockClient holder = client();
        LockClient waiter = client()) {
      for (int i = 0; i < MANY; i++) {
        holder.lock("other-" + i).acquire(LONG);
      }
      letWait(waiter, threads, 0, FEW);
      leastNanos(holder, waiter, threads); // The first are slow anyway.
      long withFew = leastNanos(holder, waiter, threads);
      letWait(waiter, threads, FEW, MANY);
      return leastNanos(holder, waiter, threads) / (double) withFew;
    } finally {
      threads.shutdownNow();
    }
  }

  private static void letWait(LockClient waiter, ExecutorService threads, int from, int to) {
    for (int i = from; i < to; i++) {
      String name = "other-" + i;
      // What they wait for they get in no test: each ends with its client.
      Future<?> unused = threads.submit(() -> waiter.lock(name).acquire(LONG));
    }
    for (int i = from; i < to; i++) {
      awaitQueued(waiter, "other-" + i);
    }
  }

  private static void awaitQueued(LockClient client, String name) {
    await().atMost(LONG).pollInterval(Duration.ofMillis(1)).until(() -> isWaitedFor(client, name));
  }

  private static boolean isWaitedFor(LockClient client, String name) {
    return !client.find(name).orElseThrow().waiters().isEmpty();
  }

  /** The quickest of many: however busy the machine is, it leaves some alone. */
  private static long leastNanos(LockClient holder, LockClient waiter, ExecutorService threads)
      throws Exception {
    long[] nanos = new long[HAND_OVERS];
    for (int i = 0; i < HAND_OVERS; i++) {
      Grant held = holder.lock("ping").acquire(LONG);
      Future<Grant> next = threads.submit(() -> waiter.lock("ping").acquire(LONG));
      awaitQueued(waiter, "ping");
      long begun = System.nanoTime();
      held.release();
      Grant grant = next.get();
      nanos[i] = System.nanoTime() - begun;
      grant.release();
    }
    return Arrays.stream(nanos).min().orElseThrow();
  }
}
