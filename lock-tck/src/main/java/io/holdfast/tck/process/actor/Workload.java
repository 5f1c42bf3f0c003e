package io.holdfast.tck.process.actor;

import io.holdfast.tck.process.client.RecordingClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/** Many workers in several clients, disturbed or not, for a while. */
final class Workload {

  private static final int DISTURBED_EVERY_MILLIS = 60;
  private static final int CLOSED_SLOT = 0;

  private final String id;
  private final WorkloadSpec spec;
  private final Function<String, RecordingClient> connect;
  private final List<String> locks;
  private final Duration maxWait;
  private final AtomicReferenceArray<RecordingClient> clients;
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private volatile long endNanos;
  private volatile boolean over;

  /**
   * Makes a workload.
   *
   * @param connect connects a client of a name
   * @param maxWait how long a worker may take for its last request
   */
  Workload(
      String id,
      WorkloadSpec spec,
      Function<String, RecordingClient> connect,
      List<String> locks,
      Duration maxWait) {
    this.id = id;
    this.spec = spec;
    this.connect = connect;
    this.locks = locks;
    this.maxWait = maxWait;
    this.clients = new AtomicReferenceArray<>(spec.clients());
  }

  /**
   * Works until the time is up and every worker has come back. The time counts from when the
   * clients are connected.
   *
   * @param begun called when the clients are connected
   */
  void run(Runnable begun) throws InterruptedException {
    List<Thread> workers = new ArrayList<>();
    try {
      for (int slot = 0; slot < spec.clients(); slot++) {
        clients.set(slot, connect.apply(clientName(slot, 0)));
      }
      begun.run();
      endNanos = System.nanoTime() + spec.duration().toNanos();
      workers.addAll(startWorkers());
      if (spec.disturbance() == Disturbance.INTERRUPT_AND_CLOSE) {
        disturb(workers);
      }
      join(workers, maxWait.plusNanos(Math.max(0, endNanos - System.nanoTime())));
    } finally {
      over = true;
      for (int slot = 0; slot < spec.clients(); slot++) {
        RecordingClient client = clients.get(slot);
        if (client != null) {
          client.close();
        }
      }
      // Closing has ended every wait: a worker that was stranded comes back now, late as it is.
      join(workers, maxWait);
    }
    for (Thread worker : workers) {
      if (worker.isAlive()) {
        failures.add(new AssertionError(worker + " did not even return when its client closed."));
      }
    }
    if (!failures.isEmpty()) {
      AssertionError error = new AssertionError("Workers failed: " + failures);
      failures.forEach(error::addSuppressed);
      throw error;
    }
  }

  /** No request can be served any more, since clients are closed from outside. */
  void end() {
    over = true;
  }

  private List<Thread> startWorkers() {
    Random seeds = new Random(spec.seed());
    List<Thread> workers = new ArrayList<>();
    for (int slot = 0; slot < spec.clients(); slot++) {
      for (int i = 0; i < spec.workersPerClient(); i++) {
        int ofSlot = slot;
        String name = "w" + i;
        Worker worker =
            new Worker(
                name,
                () -> clients.get(ofSlot),
                locks,
                spec,
                this::timeIsLeft,
                () -> over,
                new Random(seeds.nextLong()));
        Thread thread = new Thread(worker, clientName(slot, 0) + "-" + name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((of, failure) -> failures.add(failure));
        thread.start();
        workers.add(thread);
      }
    }
    return workers;
  }

  private boolean timeIsLeft() {
    return System.nanoTime() - endNanos < 0;
  }

  private void disturb(List<Thread> workers) throws InterruptedException {
    Random random = new Random(spec.seed() + 1);
    for (int generation = 1; timeIsLeft(); generation++) {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(2 * DISTURBED_EVERY_MILLIS));
      if (random.nextInt(3) == 0) {
        // Always the same: a lock that a client holds for no thread comes free when that client is
        // closed, so the others are left alone for it to be seen.
        RecordingClient next = connect.apply(clientName(CLOSED_SLOT, generation));
        clients.getAndSet(CLOSED_SLOT, next).close();
      } else {
        workers.get(random.nextInt(workers.size())).interrupt();
      }
    }
  }

  private String clientName(int slot, int generation) {
    return "%s-c%s.%s".formatted(id, slot, generation);
  }

  private static void join(List<Thread> threads, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    for (Thread thread : threads) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      thread.join(Math.max(1, left));
    }
  }
}
