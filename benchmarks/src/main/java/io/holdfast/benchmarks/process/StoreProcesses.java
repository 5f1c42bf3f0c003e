package io.holdfast.benchmarks.process;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.benchmarks.comparison.Spread;
import io.holdfast.tck.server.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Hand-over and take-over between JVMs, on one store. */
public final class StoreProcesses {

  private StoreProcesses() {}

  /**
   * How much is measured.
   *
   * @param waiters how many JVMs wait for one lock, ascending
   * @param handOvers how often the lock is handed on with each number of them
   * @param ttl of the JVMs that are killed
   */
  public record Extent(List<Integer> waiters, int handOvers, Duration ttl) {}

  /**
   * Hand-overs with one number of waiters.
   *
   * @param waiters how many JVMs waited
   * @param handOvers how many hand-overs
   * @param millis from the call of release in one JVM to the return of acquire in another
   * @param p90Millis the same, nine out of ten at most
   * @param maxMillis the longest
   * @param pipeMillis what a line through a pipe to another JVM took meanwhile
   */
  public record HandOver(
      int waiters,
      int handOvers,
      Spread millis,
      double p90Millis,
      double maxMillis,
      Spread pipeMillis) {}

  /**
   * Take-overs.
   *
   * @param ttlSeconds the TTL that was asked for
   * @param seconds from each kill until the lock was held again
   */
  public record TakeOver(double ttlSeconds, List<Double> seconds) {

    /** Returns them as multiples of the TTL, ascending. */
    public List<Double> multiples() {
      return seconds.stream().map(each -> each / ttlSeconds).sorted().toList();
    }
  }

  /**
   * The measurements on a store.
   *
   * @param store its name
   * @param handOvers one for each number of waiters
   * @param takeOver of all JVMs but one
   */
  public record Figures(String store, List<HandOver> handOvers, TakeOver takeOver) {}

  /** Measures, on a store that other processes reach by its URI. */
  public static Figures measure(String store, String uri, Extent extent)
      throws IOException, InterruptedException {
    Path folder = Tools.makeTemporaryDirectory("holdfast-workers-");
    Path log = folder.resolve("log");
    List<WorkerJvm> workers = new ArrayList<>();
    try (LockClient observer = Holdfast.connect(uri)) {
      workers.addAll(WorkerJvm.start(Collections.max(extent.waiters()) + 1, uri, log));
      List<HandOver> handOvers = new ArrayList<>();
      for (int waiters : extent.waiters()) {
        handOvers.add(
            handOver(
                waiters,
                new HandOvers(workers.subList(0, waiters + 1), observer).run(extent.handOvers())));
      }
      List<Double> seconds =
          new TakeOvers(workers.subList(1, workers.size()), workers.get(0), observer)
              .run(extent.ttl());
      return new Figures(store, handOvers, new TakeOver(extent.ttl().toMillis() / 1e3, seconds));
    } catch (RuntimeException e) {
      throw new IOException("The workers say: " + Files.readString(log), e);
    } finally {
      workers.forEach(WorkerJvm::close);
      Tools.delete(folder);
    }
  }

  static HandOver handOver(int waiters, HandOvers.Samples samples) {
    List<Double> sorted = samples.handOvers().stream().sorted().toList();
    return new HandOver(
        waiters,
        sorted.size(),
        Spread.of(sorted),
        sorted.get((int) Math.ceil(0.9 * sorted.size()) - 1),
        sorted.get(sorted.size() - 1),
        Spread.of(samples.pipes()));
  }
}
