package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.part.Plan.Length;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.simulation.Fleet;
import io.holdfast.benchmarks.simulation.FleetPlan;
import io.holdfast.benchmarks.simulation.SimulatedServer;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Ten thousand sessions on one server. */
public final class SimulationPart implements Part {

  private static final Map<String, Supplier<SimulatedServer>> SERVERS =
      Map.of(
          "redis", SimulatedServer::redis,
          "etcd", SimulatedServer::etcd,
          "postgresql", SimulatedServer::postgresql);

  private static final String INTRO =
      """
      Each session is one of a process that holds a lock: it is opened, takes a lock, and is renewed \
      every third of its TTL, through the adapter's own verbs. A few clients share the work, so what \
      thousands of connections cost is not in it. Operations are what the server counts and what \
      the model says: scripts of Redis (before each, three small commands in one round trip are not \
      counted), statements of PostgreSQL, requests of etcd. Cores are CPUs in use; server and clients \
      share this machine. Late heartbeats were answered after the lease before had run out, by the \
      client's clock; lapsed sessions had been ended. Where fewer sessions are measured than were \
      wanted, no more could be opened in five minutes, since heartbeats go first.""";

  private static final List<String> HEADER =
      List.of(
          "store",
          "sessions",
          "TTL s",
          "opened/s",
          "heartbeats/s",
          "operations/s",
          "by the model",
          "server cores",
          "server µs a heartbeat",
          "client cores",
          "answered in ms: p50, p99, p99.9",
          "since due ms: p50, p99, p99.9",
          "late",
          "lapsed");

  @Override
  public String name() {
    return "simulation";
  }

  @Override
  public boolean belongsTo(Length length) {
    return length == Length.FULL;
  }

  @Override
  public boolean measures(StoreKind kind) {
    return SERVERS.containsKey(kind.label());
  }

  /** The model says nothing about it. */
  @Override
  public boolean measures(GivenStore given) {
    return false;
  }

  @Override
  public void run(Plan plan, Consumer<Section> found) throws Exception {
    for (StoreKind kind : plan.stores()) {
      Supplier<SimulatedServer> start = SERVERS.get(kind.label());
      if (start != null) {
        try (SimulatedServer server = start.get()) {
          found.accept(section(Fleet.simulate(server, fleet(plan))));
        }
      }
    }
  }

  private static Section section(Fleet.Figures figures) {
    return new Section(
        "Many sessions on " + figures.store(),
        INTRO,
        figures,
        List.of(new Table(HEADER, List.of(row(figures)))),
        List.of());
  }

  private static FleetPlan fleet(Plan plan) {
    Duration ttl = Duration.ofSeconds(15);
    return switch (plan.length()) {
      case QUICK -> new FleetPlan(1_000, ttl, Duration.ofSeconds(10), 8, 2);
      case USUAL -> new FleetPlan(10_000, ttl, Duration.ofSeconds(30), 8, 2);
      case FULL -> new FleetPlan(10_000, ttl, Duration.ofMinutes(2), 8, 2);
    };
  }

  private static List<String> row(Fleet.Figures figures) {
    return List.of(
        figures.store(),
        String.format(Locale.ROOT, "%,d of %,d", figures.sessions(), figures.plan().sessions()),
        Long.toString(figures.plan().ttl().toSeconds()),
        number(0, figures.opensPerSecond()),
        number(0, figures.heartbeatsPerSecond()),
        number(0, figures.operationsPerSecond()),
        number(0, figures.modelledPerSecond()),
        number(2, figures.serverCores()),
        number(0, figures.serverMicrosPerHeartbeat()),
        number(2, figures.clientCores()),
        millis(figures.answeredMillis()),
        millis(figures.sinceDueMillis()),
        Integer.toString(figures.late()),
        Integer.toString(figures.lapsed()));
  }

  private static String millis(List<Double> percentiles) {
    return percentiles.stream().map(each -> number(1, each)).collect(Collectors.joining(", "));
  }

  private static String number(int digits, double value) {
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }
}
