package io.holdfast.benchmarks.counts;

import io.holdfast.DistributedLock;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.benchmarks.contender.Party;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Counts what whole clients do that want the same lock, each on connections of its own. */
final class ContendingClients implements AutoCloseable {

  static final int WINDOWS = 3;
  private static final int CLIENTS = 3;
  private static final int TIMES = 20;
  static final int TURNS_IN_WINDOW = CLIENTS * TIMES;
  private static final String LOCK = "contended";
  private static final Duration ASKED_EVERY = Duration.ofMillis(100);

  private final List<LockClient> clients = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);

  private ContendingClients(CountedStore store) {
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(Holdfast.builder().connect(store.connect()));
    }
  }

  /**
   * Counts.
   *
   * @param waiting how long it is watched what it takes to wait; not at all if zero
   */
  static void count(CountedStore store, Meter meter, Duration waiting) {
    try (ContendingClients contending = new ContendingClients(store)) {
      contending.takeTurns(); // Connects, and opens the sessions.
      meter.countTogether(
          "acquire and release, by turns",
          CLIENTS + " clients contend",
          WINDOWS,
          TURNS_IN_WINDOW,
          contending::takeTurns);
      if (!waiting.isZero()) {
        contending.countWaiting(store, meter, waiting);
      }
    }
  }

  private void takeTurns() {
    all(
        clients.stream()
            .map(client -> client.lock(LOCK))
            .<Callable<Boolean>>map(lock -> () -> takesTurns(lock))
            .toList());
  }

  private static boolean takesTurns(DistributedLock lock) {
    for (int i = 0; i < TIMES; i++) {
      lock.acquire().release();
    }
    return true;
  }

  private void all(List<Callable<Boolean>> tasks) {
    try {
      for (Future<Boolean> each : threads.invokeAll(tasks)) {
        each.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("A client gave up.", e);
    }
  }

  private void countWaiting(CountedStore store, Meter meter, Duration time) {
    try (LockBackend backend = store.connect()) {
      // Without an engine: only what the waiters do is counted.
      Party holder = new Party(backend);
      Request held = holder.take(new LockName(LOCK));
      countBehindHolder(meter, time);
      holder.release(held);
      holder.end();
    }
  }

  private void countBehindHolder(Meter meter, Duration time) {
    List<Future<Boolean>> waits =
        clients.stream().map(client -> threads.submit(() -> waits(client.lock(LOCK)))).toList();
    while (clients.get(0).find(LOCK).orElseThrow().waiters().size() < CLIENTS) {
      Pauses.pass(ASKED_EVERY);
    }
    // They look more often at first.
    Pauses.pass(Duration.ofSeconds(2));
    int seconds = (int) (CLIENTS * time.toSeconds());
    meter.countTogether(
        "a second of waiting, for each client",
        CLIENTS + " clients wait",
        1,
        seconds,
        () -> Pauses.pass(time));
    waits.forEach(wait -> wait.cancel(true));
  }

  private static boolean waits(DistributedLock lock) {
    try (Grant unused = lock.acquire()) {
      return true;
    } catch (LockInterruptedException e) {
      return false; // As is meant.
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    clients.forEach(LockClient::close);
  }
}
