package io.holdfast.benchmarks.jmh;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Wakeup;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A lock changes hands: from the release by one client until a thread that waits for it with
 * another client has it and has told us. The store is in memory and sends hints, so this is what
 * the engine and its threads take.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HandOverBenchmark {

  private static final String NAME = "handed";

  /** So long after it has joined has a waiter settled down to waiting. */
  private static final long SETTLE_MILLIS = 2;

  /** A thread that waits for something; a new one for each hand-over. */
  abstract static class Waiting<T> {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private Future<T> arrival = new CompletableFuture<>();

    /** Has the thread wait. */
    final void begin(Callable<T> wait) {
      arrival = thread.submit(wait);
    }

    final T arrival() throws InterruptedException, ExecutionException {
      return arrival.get();
    }

    final void stop() {
      thread.shutdownNow();
    }
  }

  /** Two clients of one store in memory: the first holds, the second waits. */
  @State(Scope.Benchmark)
  public static class Clients extends Waiting<Grant> {
    private final MemoryStore store =
        new MemoryStore("handed", MemoryOptions.DEFAULTS.wakeup(Wakeup.PUSH));
    private final LockClient first = client(store);
    private final LockClient second = client(store);
    private Grant held;

    private static LockClient client(MemoryStore store) {
      return Holdfast.builder().connect(store.connect(BackendOptions.DEFAULTS));
    }

    /** Has the first hold and the second wait. */
    @Setup(Level.Invocation)
    public void queueUp() throws InterruptedException {
      held = first.lock(NAME).acquire();
      begin(() -> second.lock(NAME).acquire());
      while (first.find(NAME).orElseThrow().waiters().isEmpty()) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
    }

    /** Gives the lock back. */
    @TearDown(Level.Invocation)
    public void giveBack() throws InterruptedException, ExecutionException {
      arrival().release();
    }

    /** Closes both. */
    @TearDown
    public void close() {
      stop();
      first.close();
      second.close();
    }
  }

  /** Two threads that know each other. */
  @State(Scope.Benchmark)
  public static class Threads extends Waiting<Boolean> {
    private CountDownLatch latch;

    /** Has the other one wait. */
    @Setup(Level.Invocation)
    public void queueUp() throws InterruptedException {
      CountDownLatch closed = new CountDownLatch(1);
      latch = closed;
      begin(
          () -> {
            closed.await();
            return true;
          });
      TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
    }

    /** Stops the other one. */
    @TearDown
    public void close() {
      stop();
    }
  }

  /** Through the store. */
  @Benchmark
  public Grant clients(Clients clients) throws InterruptedException, ExecutionException {
    clients.held.release();
    return clients.arrival();
  }

  /** Through nothing but a latch: what waking the other thread and being woken by it takes. */
  @Benchmark
  public boolean threads(Threads threads) throws InterruptedException, ExecutionException {
    threads.latch.countDown();
    return threads.arrival();
  }
}
