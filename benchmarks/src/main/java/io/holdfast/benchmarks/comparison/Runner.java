package io.holdfast.benchmarks.comparison;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** Runs one contender's pairs: on some threads at once. */
final class Runner implements AutoCloseable {

  /** Three digits of a time's value are kept. */
  private static final int DIGITS = 3;

  private final Contender contender;
  private final OpenContender open;
  private final List<LockPair> pairs = new ArrayList<>();
  private final ExecutorService threads;
  private final List<Batch> measured = new ArrayList<>();

  /**
   * @param locks how many locks the threads share
   */
  Runner(Contender contender, int threads, int locks) throws Exception {
    this.contender = contender;
    this.open = contender.open(threads);
    try {
      for (int i = 0; i < threads; i++) {
        pairs.add(open.pair("lock-" + i % locks));
      }
    } catch (Exception | Error e) {
      open.close();
      throw e;
    }
    this.threads =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, contender.name());
              thread.setDaemon(true);
              return thread;
            });
  }

  Contender contender() {
    return contender;
  }

  /** Runs a batch of that length that counts. */
  void measure(Duration duration) throws Exception {
    measured.add(run(duration));
  }

  /** Returns the batches that count, so many of those that follow one another as one round. */
  List<Batch> rounds(int batches) {
    List<Batch> rounds = new ArrayList<>();
    for (int i = 0; i < measured.size(); i += batches) {
      rounds.add(Batch.sum(measured.subList(i, i + batches)));
    }
    return rounds;
  }

  /** Takes and gives back for that long. */
  Batch run(Duration duration) throws Exception {
    Usage before = Usage.now();
    long start = System.nanoTime();
    long end = start + duration.toNanos();
    List<Callable<Histogram>> tasks =
        pairs.stream().<Callable<Histogram>>map(pair -> () -> timed(pair, end)).toList();
    Histogram times = new Histogram(DIGITS);
    for (Future<Histogram> done : threads.invokeAll(tasks)) {
      times.add(done.get());
    }
    long nanos = System.nanoTime() - start;
    Usage after = Usage.now();
    return new Batch(
        times,
        nanos,
        after.clientCpuNanos() - before.clientCpuNanos(),
        after.serverCpuNanos() - before.serverCpuNanos(),
        after.allocatedBytes() - before.allocatedBytes());
  }

  /** At least one pair is done, however short the batch. */
  private static Histogram timed(LockPair pair, long end) throws Exception {
    Histogram times = new Histogram(DIGITS);
    long from = System.nanoTime();
    do {
      pair.takeAndGiveBack();
      long to = System.nanoTime();
      times.recordValue(to - from);
      from = to;
    } while (from - end < 0);
    return times;
  }

  @Override
  public void close() throws Exception {
    threads.shutdownNow();
    open.close();
  }
}
