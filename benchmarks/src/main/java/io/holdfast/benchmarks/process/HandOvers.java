package io.holdfast.benchmarks.process;

import io.holdfast.LockClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * One lock that goes round: each JVM holds it, gives it back, and waits again behind all others. No
 * JVM gives it back before all others wait, and then after a moment that differs, so that a store
 * whose waiters poll is met at any point between two looks.
 */
final class HandOvers {

  private static final Duration TTL = Duration.ofSeconds(15);
  private static final int HOLD_MILLIS = 50;
  private static final int ASKED_EVERY_MILLIS = 2;

  private final List<WorkerJvm> workers;
  private final LockClient observer;
  private final String lock;
  private final Random random = new Random(1);

  /** The JVMs that wait, each with its wish. */
  private final Map<WorkerJvm, CompletableFuture<Long>> waiting = new LinkedHashMap<>();

  /**
   * Prepares a run.
   *
   * @param workers one more than shall wait
   * @param observer looks how many wait
   */
  HandOvers(List<WorkerJvm> workers, LockClient observer) {
    this.workers = workers;
    this.observer = observer;
    this.lock = "hand-over-" + workers.size();
  }

  /** Hands the lock on that often, after each JVM has done it twice. */
  Samples run(int times) throws InterruptedException {
    List<Double> handOvers = new ArrayList<>();
    List<Double> pipes = new ArrayList<>();
    int warmup = 2 * workers.size();
    WorkerJvm holder = begin();
    for (int i = -warmup; i < times; i++) {
      awaitWaiters(workers.size() - 1);
      Thread.sleep(i < 0 ? 0 : HOLD_MILLIS + random.nextInt(HOLD_MILLIS));
      double pipe = pipe(workers.get(Math.floorMod(i, workers.size())));
      WorkerJvm former = holder;
      CompletableFuture<Long> released = former.release(lock);
      Next next = next();
      holder = next.worker();
      if (i >= 0) {
        pipes.add(pipe);
        handOvers.add(millis(next.heldAt() - released.join()));
      }
      released.join();
      waiting.put(former, former.acquire(lock, TTL));
    }
    drain(holder);
    return new Samples(handOvers, pipes);
  }

  /**
   * The measured times, in milliseconds.
   *
   * @param handOvers from the call of release in one JVM to the return of acquire in another
   * @param pipes from writing a line to a pipe to its reader, another JVM, having it; measured in
   *     turns with the hand-overs
   */
  record Samples(List<Double> handOvers, List<Double> pipes) {}

  private record Next(WorkerJvm worker, long heldAt) {}

  private WorkerJvm begin() {
    WorkerJvm first = workers.get(0);
    first.acquire(lock, TTL).join();
    workers
        .subList(1, workers.size())
        .forEach(worker -> waiting.put(worker, worker.acquire(lock, TTL)));
    return first;
  }

  private Next next() {
    CompletableFuture.anyOf(waiting.values().toArray(CompletableFuture<?>[]::new)).join();
    WorkerJvm worker =
        waiting.keySet().stream()
            .filter(each -> waiting.getOrDefault(each, new CompletableFuture<>()).isDone())
            .findFirst()
            .orElseThrow();
    CompletableFuture<Long> held = waiting.remove(worker);
    return new Next(worker, held == null ? 0 : held.join());
  }

  private void drain(WorkerJvm last) {
    last.release(lock).join();
    while (!waiting.isEmpty()) {
      next().worker().release(lock).join();
    }
  }

  private void awaitWaiters(int count) throws InterruptedException {
    while (observer.find(lock).map(record -> record.waiters().size()).orElse(0) < count) {
      Thread.sleep(ASKED_EVERY_MILLIS);
    }
  }

  private static double pipe(WorkerJvm worker) {
    long from = System.nanoTime();
    return millis(worker.ping().join() - from);
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }
}
