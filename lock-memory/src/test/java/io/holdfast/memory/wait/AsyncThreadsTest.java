package io.holdfast.memory.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.engine.seam.ThreadedSeam;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.memory.world.RealTime;
import io.holdfast.spi.BackendOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** However many acquires wait, their client has a few threads, and none of them completes one. */
class AsyncThreadsTest {

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int MANY = 3_000;

  /** A timer, a few heartbeats and looks, calls and listeners, some of them one after another. */
  private static final int THREADS_MAX = 150;

  private final MemoryStore store = new MemoryStore("async-threads", MemoryOptions.DEFAULTS);
  private final Set<Thread> made = ConcurrentHashMap.newKeySet();

  private LockClient client() {
    return client(Runnable::run);
  }

  private LockClient client(Executor asyncExecutor) {
    return RealTime.client(
        new ThreadedSeam(
            task -> {
              Thread thread = new Thread(task);
              made.add(thread);
              return thread;
            }),
        store.connect(BackendOptions.DEFAULTS),
        asyncExecutor);
  }

  private static List<CompletableFuture<Grant>> ask(LockClient client) {
    List<CompletableFuture<Grant>> asked = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      asked.add(client.lock("lock-" + i).acquireAsync());
    }
    return asked;
  }

  /** Its thread may even be the one that waits for that lock. */
  @Test
  void aGrantThatIsTurnedAwayGoesBackAlthoughTheExecutorIsBusy() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    CountDownLatch isOver = new CountDownLatch(1);
    try (LockClient client = client(executor);
        LockClient other = client()) {
      Future<Boolean> busy = executor.submit(() -> isOver.await(5, TimeUnit.MINUTES));
      CompletableFuture<Grant> asked = client.lock("a").acquireAsync();
      await().atMost(LONG).until(() -> other.find("a").isPresent());

      asked.cancel(false);

      other.lock("a").acquire(LONG).release();
      isOver.countDown();
      assertThat(busy.get()).isTrue();
      executor.submit(() -> {}).get(); // What it still has to do with the grant is over then.
      assertThat(other.lock("a").tryAcquire()).isPresent();
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void noThreadWaits() {
    try (LockClient holder = client();
        LockClient waiter = client()) {
      List<CompletableFuture<Grant>> held = ask(holder);
      await().atMost(LONG).until(() -> held.stream().allMatch(CompletableFuture::isDone));
      made.clear();
      Set<String> completedBy = ConcurrentHashMap.newKeySet();
      List<CompletableFuture<Grant>> waiting = ask(waiter);
      List<CompletableFuture<Void>> noted =
          waiting.stream()
              .map(
                  each ->
                      each.thenAccept(grant -> completedBy.add(Thread.currentThread().getName())))
              .toList();
      String last = "lock-" + (MANY - 1);
      await().atMost(LONG).until(() -> waiter.find(last).orElseThrow().waiting() == 1);
      held.forEach(each -> each.join().release());
      await().atMost(LONG).until(() -> noted.stream().allMatch(CompletableFuture::isDone));
      assertThat(made).hasSizeLessThan(THREADS_MAX);
      assertThat(completedBy).allMatch(name -> name.endsWith("-async"));
    }
  }
}
