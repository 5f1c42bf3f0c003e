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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What one wait costs a client does not grow with its other waits. */
class ManyWaitsTest {

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int FEW = 50;
  private static final int MANY = 2_000;
  private static final int HAND_OVERS = 100;

  /** With a walk over all waits at each hint it is some thirty times. */
  private static final double RATIO_MAX = 12;

  private final MemoryStore store = new MemoryStore("many", MemoryOptions.DEFAULTS);

  private LockClient client() {
    return Holdfast.builder()
        .defaultTtl(Duration.ofMinutes(1))
        .connect(store.connect(BackendOptions.DEFAULTS));
  }

  @Test
  void aHandOverCostsAsMuchWithManyOtherWaitsAsWithFew() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (LockClient holder = client();
        LockClient waiter = client()) {
      for (int i = 0; i < MANY; i++) {
        holder.lock("other-" + i).acquire(LONG);
      }
      letWait(waiter, threads, 0, FEW);
      leastNanos(holder, waiter, threads); // The first are slow anyway.
      long fewBefore = leastNanos(holder, waiter, threads);
      List<Future<?>> more = letWait(waiter, threads, FEW, MANY);
      long withMany = leastNanos(holder, waiter, threads);
      more.forEach(wait -> wait.cancel(true));
      await()
          .atMost(LONG)
          .until(
              () -> IntStream.range(FEW, MANY).noneMatch(i -> isWaitedFor(waiter, "other-" + i)));
      // Once more, since the machine may be slower than it was at the beginning.
      long withFew = Math.max(fewBefore, leastNanos(holder, waiter, threads));
      assertThat(withMany / (double) withFew)
          .as("nanoseconds a hand-over: %d with few waits, %d with many", withFew, withMany)
          .isLessThan(RATIO_MAX);
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<Future<?>> letWait(
      LockClient waiter, ExecutorService threads, int from, int to) {
    List<Future<?>> waits = new ArrayList<>();
    for (int i = from; i < to; i++) {
      String name = "other-" + i;
      // What they wait for they get in no test: each ends when it is cancelled, or with its client.
      waits.add(threads.submit(() -> waiter.lock(name).acquire(LONG)));
    }
    for (int i = from; i < to; i++) {
      awaitQueued(waiter, "other-" + i);
    }
    return waits;
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
