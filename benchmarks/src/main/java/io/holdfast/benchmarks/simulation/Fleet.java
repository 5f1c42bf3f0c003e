package io.holdfast.benchmarks.simulation;

import io.holdfast.benchmarks.comparison.Usage;
import io.holdfast.engine.connect.Providers;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * Many sessions on one server, each as the session of a process that holds a lock: opened, a lock
 * taken, and renewed every third of its TTL, over a few connections. The cost of thousands of
 * connections to a server is not simulated.
 */
public final class Fleet {

  private static final Duration OPENING = Duration.ofMinutes(5);
  private static final double[] PERCENTILES = {50, 99, 99.9};
  private static final long FAR = Long.MAX_VALUE / 4;

  private Fleet() {}

  /**
   * The figures of a fleet.
   *
   * @param store the server
   * @param plan how many sessions, and for how long
   * @param sessions how many were measured; fewer than planned if the server has no time for more
   * @param opensPerSecond how many were opened, with a lock each, a second
   * @param heartbeats how many were measured
   * @param heartbeatsPerSecond how many that is a second
   * @param operationsPerSecond those that the server counted meanwhile
   * @param modelledPerSecond those of the model
   * @param serverCores how many of the CPUs the server used
   * @param clientCores how many of the CPUs this JVM used
   * @param serverMicrosPerHeartbeat the server's CPU time for each
   * @param answeredMillis percentiles 50, 99 and 99.9 from sending a heartbeat to its answer
   * @param sinceDueMillis the same from the moment at which it was due
   * @param lapsed sessions that the store had ended
   * @param late heartbeats that were answered after the lease before had run out
   */
  public record Figures(
      String store,
      FleetPlan plan,
      int sessions,
      double opensPerSecond,
      long heartbeats,
      double heartbeatsPerSecond,
      double operationsPerSecond,
      double modelledPerSecond,
      double serverCores,
      double clientCores,
      double serverMicrosPerHeartbeat,
      List<Double> answeredMillis,
      List<Double> sinceDueMillis,
      int lapsed,
      int late) {}

  /** Simulates. */
  public static Figures simulate(SimulatedServer server, FleetPlan plan) throws Exception {
    List<LockBackend> backends = new ArrayList<>();
    int threads = plan.backends() * plan.threadsPerBackend();
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      for (int i = 0; i < plan.backends(); i++) {
        backends.add(
            Providers.connect(server.uri(), BackendOptions.DEFAULTS.with(RestartGuard.OFF)));
      }
      return simulate(server, plan, backends, executor);
    } finally {
      executor.shutdownNow();
      backends.forEach(LockBackend::close);
    }
  }

  private static Figures simulate(
      SimulatedServer server, FleetPlan plan, List<LockBackend> backends, ExecutorService executor)
      throws Exception {
    long begun = System.nanoTime();
    Crew.Signals signals =
        new Crew.Signals(
            new AtomicBoolean(true),
            new CountDownLatch(plan.sessions()),
            new AtomicLong(begun + FAR),
            new AtomicLong(begun + FAR));
    List<Crew> crews = crews(plan, backends, signals);
    List<Future<?>> running = new ArrayList<>();
    crews.forEach(crew -> running.add(executor.submit(crew)));

    signals.open().await(OPENING.toMinutes(), TimeUnit.MINUTES);
    signals.opening().set(false);
    double opening = (System.nanoTime() - begun) / 1e9;
    // The first heartbeats come as unevenly as the openings did, with code that is new, and
    // PostgreSQL counts what an idle connection has done up to ten seconds late.
    Thread.sleep(plan.ttl().toMillis());
    int sessions = crews.stream().mapToInt(Crew::alive).sum();
    double countedBefore = server.counted().getAsDouble();
    Usage before = Usage.now();
    long from = System.nanoTime();
    signals.from().set(from);
    Thread.sleep(plan.measured().toMillis());
    long until = System.nanoTime();
    Usage after = Usage.now();
    double counted = server.counted().getAsDouble() - countedBefore;
    double seconds = (until - from) / 1e9;
    signals.until().set(until);
    for (Future<?> each : running) {
      each.get();
    }

    Histogram answered = sum(crews, Crew::answered);
    double serverNanos = after.serverCpuNanos() - before.serverCpuNanos();
    return new Figures(
        server.costs().store(),
        plan,
        sessions,
        sessions / opening,
        answered.getTotalCount(),
        answered.getTotalCount() / seconds,
        counted / seconds,
        CapacityModel.load(server.costs(), workload(sessions, plan.ttl())).total(),
        serverNanos / 1e9 / seconds,
        (after.clientCpuNanos() - before.clientCpuNanos()) / 1e9 / seconds,
        serverNanos / 1e3 / answered.getTotalCount(),
        millis(answered),
        millis(sum(crews, Crew::sinceDue)),
        crews.stream().mapToInt(Crew::lapsed).sum(),
        crews.stream().mapToInt(Crew::late).sum());
  }

  private static List<Crew> crews(
      FleetPlan plan, List<LockBackend> backends, Crew.Signals signals) {
    int threads = plan.backends() * plan.threadsPerBackend();
    List<Crew> crews = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int share = plan.sessions() * (i + 1) / threads - plan.sessions() * i / threads;
      crews.add(
          new Crew(
              backends.get(i % plan.backends()), Integer.toString(i), share, plan.ttl(), signals));
    }
    return crews;
  }

  private static Workload workload(int sessions, Duration ttl) {
    return new Workload(sessions, ttl, 1, 0, 0, 0, 0, 0, 0, 1);
  }

  private static Histogram sum(List<Crew> crews, Function<Crew, Histogram> times) {
    Histogram all = new Histogram(3);
    crews.forEach(crew -> all.add(times.apply(crew)));
    return all;
  }

  private static List<Double> millis(Histogram times) {
    List<Double> millis = new ArrayList<>();
    for (double percentile : PERCENTILES) {
      millis.add(times.getValueAtPercentile(percentile) / 1e6);
    }
    return millis;
  }
}
