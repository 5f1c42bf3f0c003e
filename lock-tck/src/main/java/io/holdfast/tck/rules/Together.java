package io.holdfast.tck.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Does several things at the same moment, as far as threads can. */
final class Together {

  private static final long SECONDS_MAX = 60;

  private Together() {}

  /** Returns the results in the order of the tasks; fails with the first failure. */
  static <T> List<T> call(List<? extends Callable<T>> tasks) {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    CountDownLatch ready = new CountDownLatch(tasks.size());
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> task : tasks) {
        futures.add(
            threads.submit(
                () -> {
                  ready.countDown();
                  ready.await();
                  return task.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(SECONDS_MAX, TimeUnit.SECONDS));
      }
      return results;
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError("One of several concurrent calls failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Does two things at once. */
  static void run(Runnable one, Runnable other) {
    call(List.of(Executors.callable(one), Executors.callable(other)));
  }
}
