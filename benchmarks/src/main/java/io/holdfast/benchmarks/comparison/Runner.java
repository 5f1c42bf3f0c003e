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
  private final List<Timed> pairs = new ArrayList<>();
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
        pairs.add(new Timed(open.pair("lock-" + i % locks), new Histogram(DIGITS)));
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
    pairs.forEach(pair -> pair.times().reset());
    Usage before = Usage.now();
    long start = System.nanoTime();
    long end = start + duration.toNanos();
    List<Callable<Boolean>> tasks =
        pairs.stream().<Callable<Boolean>>map(pair -> () -> pair.repeat(end)).toList();
    for (Future<Boolean> done : threads.invokeAll(tasks)) {
      boolean unused = done.get();
    }
    long nanos = System.nanoTime() - start;
    Usage after = Usage.now();
    Histogram times = new Histogram(DIGITS);
    pairs.forEach(pair -> times.add(pair.times()));
    return new Batch(
        times,
        nanos,
        after.clientCpuNanos() - before.clientCpuNanos(),
        after.serverCpuNanos() - before.serverCpuNanos(),
        after.allocatedBytes() - before.allocatedBytes());
  }

  /**
   * What one thread takes and gives back.
   *
   * @param times of each time in the present batch. The same for all batches: a new one grows to
   *     hundreds of kilobytes, which would count as what a short batch has allocated
   */
  private record Timed(LockPair pair, Histogram times) {

    /** At least one pair is done, however short the batch. */
    boolean repeat(long end) throws Exception {
      long from = System.nanoTime();
      do {
        pair.takeAndGiveBack();
        long to = System.nanoTime();
        times.recordValue(to - from);
        from = to;
      } while (from - end < 0);
      return true;
    }
  }

  @Override
  public void close() throws Exception {
    threads.shutdownNow();
    open.close();
  }
}
