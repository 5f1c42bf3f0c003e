package io.holdfast.benchmarks.async;

import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.record.LockRecord;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The cost of many asynchronous acquires of one client while they wait, each for a lock of its own,
 * and of a hand-over beside them.
 *
 * @param pending how many wait
 * @param heapMegabytes by how much the heap is fuller with them than without; that of the store
 *     included, if it is in this JVM
 * @param threads by how many threads there are more with them than without
 * @param askedSeconds from the first call until all are in the store's queues
 * @param handOversWithFew with {@value #FEW} that wait, before
 * @param handOversWithMany with all
 * @param handOversAfterwards with {@value #FEW} again
 * @param cancelledSeconds from the first cancellation of all but {@value #FEW} until the store's
 *     queues are empty
 */
public record PendingAcquires(
    int pending,
    double heapMegabytes,
    int threads,
    double askedSeconds,
    HandOvers handOversWithFew,
    HandOvers handOversWithMany,
    HandOvers handOversAfterwards,
    double cancelledSeconds) {

  /** Compared with this many. */
  public static final int FEW = 10;

  private static final int WARM_UP = 100;
  private static final int COLLECTIONS = 4;
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final String LOCK = "pending/";

  /** They ask in order, a few at a time: when the last so many are in, all are. */
  private static final int LAST = 64;

  /**
   * How long a hand-over takes, from the call of release to the completion of the future.
   *
   * @param medianMicros of all
   * @param p90Micros nine of ten take at most so long
   */
  public record HandOvers(double medianMicros, double p90Micros) {}

  /** Returns the time with all, as a multiple of that with few. */
  public double ratio() {
    return handOversWithMany.medianMicros()
        / (handOversWithFew.medianMicros() / 2 + handOversAfterwards.medianMicros() / 2);
  }

  /**
   * Measures. Nothing else may go on in this process.
   *
   * @param handOvers how many hand-overs are measured each time
   */
  public static PendingAcquires of(String uri, int pending, int handOvers) {
    try (LockClient holder = Holdfast.connect(uri);
        LockClient waiter = Holdfast.connect(uri)) {
      hold(holder, pending);
      List<CompletableFuture<Grant>> asked = new ArrayList<>(pending);
      ask(waiter, holder, asked, FEW);
      HandOvers unused = handOvers(holder, waiter, WARM_UP);
      HandOvers before = handOvers(holder, waiter, handOvers);
      int threads = Thread.activeCount();
      long usedBefore = usedBytes();
      long begun = System.nanoTime();
      ask(waiter, holder, asked, pending);
      double askedSeconds = secondsSince(begun);
      double megabytes = (usedBytes() - usedBefore) / 1e6;
      HandOvers beside = handOvers(holder, waiter, handOvers);
      int moreThreads = Thread.activeCount() - threads;
      if (asked.stream().anyMatch(CompletableFuture::isDone)) {
        throw new IllegalStateException("What is held by another was granted, or has failed.");
      }
      long cancelled = System.nanoTime();
      asked.subList(FEW, pending).forEach(each -> each.cancel(false));
      until(() -> isEachLast(holder, pending, 0));
      double cancelledSeconds = secondsSince(cancelled);
      return new PendingAcquires(
          pending,
          megabytes,
          moreThreads,
          askedSeconds,
          before,
          beside,
          handOvers(holder, waiter, handOvers),
          cancelledSeconds);
    }
  }

  private static void hold(LockClient holder, int count) {
    List<CompletableFuture<Grant>> held = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      held.add(holder.lock(LOCK + i).acquireAsync());
    }
    held.forEach(each -> join(each));
  }

  /** Has more of them wait, until there are so many. */
  private static void ask(
      LockClient waiter, LockClient observer, List<CompletableFuture<Grant>> asked, int count) {
    for (int i = asked.size(); i < count; i++) {
      asked.add(waiter.lock(LOCK + i).acquireAsync());
    }
    until(() -> isEachLast(observer, count, 1));
  }

  private static boolean isEachLast(LockClient observer, int count, int waiting) {
    for (int i = Math.max(0, count - LAST); i < count; i++) {
      if (observer.find(LOCK + i).map(LockRecord::waiting).orElse(0) != waiting) {
        return false;
      }
    }
    return true;
  }

  private static HandOvers handOvers(LockClient holder, LockClient waiter, int count) {
    DistributedLock here = holder.lock("handed");
    DistributedLock there = waiter.lock("handed");
    double[] micros = new double[count];
    for (int i = 0; i < count; i++) {
      Grant held = here.acquire(LIMIT);
      CompletableFuture<Long> grantedAt = new CompletableFuture<>();
      CompletableFuture<Grant> asked = there.acquireAsync();
      CompletableFuture<Void> unused =
          asked.thenAccept(grant -> grantedAt.complete(System.nanoTime()));
      until(() -> holder.find("handed").map(LockRecord::waiting).orElse(0) == 1);
      long releasedAt = System.nanoTime();
      held.release();
      micros[i] = (join(grantedAt) - releasedAt) / 1e3;
      join(asked).release();
    }
    Arrays.sort(micros);
    return new HandOvers(micros[count / 2], micros[count * 9 / 10]);
  }

  private static <T> T join(CompletableFuture<T> future) {
    return future.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
  }

  private static void until(BooleanSupplier done) {
    long begun = System.nanoTime();
    while (!done.getAsBoolean()) {
      if (secondsSince(begun) > LIMIT.toSeconds()) {
        throw new IllegalStateException("Not within " + LIMIT);
      }
      try {
        Thread.sleep(2);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  /** The least of some: garbage is freed by the last of them at the latest. */
  private static long usedBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
