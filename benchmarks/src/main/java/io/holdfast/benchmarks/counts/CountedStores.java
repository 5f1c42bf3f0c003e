package io.holdfast.benchmarks.counts;

import io.holdfast.benchmarks.contender.AdapterContender;
import io.holdfast.benchmarks.contender.Party;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.StoreKind;
import io.holdfast.jdbc.EmbeddedBackends;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.tck.network.Http2Framing;
import io.holdfast.tck.network.MariadbFraming;
import io.holdfast.tck.network.MongoFraming;
import io.holdfast.tck.network.PostgresFraming;
import io.holdfast.tck.network.RespFraming;
import io.holdfast.tck.network.ZookeeperFraming;
import io.holdfast.tck.server.Tools;
import io.holdfast.testing.etcd.EtcdServer;
import io.holdfast.testing.mariadb.MariaServer;
import io.holdfast.testing.postgres.PostgresServer;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.server.DatabaseServer;
import io.holdfast.testing.zookeeper.ZooServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Starts stores with the settings that counting needs. */
public final class CountedStores {

  /** With the tables' names left out, and only what the statement does. */
  private static final String POSTGRES_COMMANDS =
      """
      SELECT lower(substring(query from '\\w+')), sum(calls), sum(total_exec_time) * 1000 \
      FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%' \
      AND query NOT LIKE '%counted_wal%' GROUP BY 1""";

  private static final String POSTGRES_WRITTEN =
      "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS counted_wal";

  /** Its times are in picoseconds. */
  private static final String MARIA_COMMANDS =
      """
      SELECT substring_index(event_name, '/', -1), count_star, sum_timer_wait / 1000000 \
      FROM performance_schema.events_statements_summary_global_by_event_name WHERE count_star > 0""";

  private static final String MARIA_WRITTEN =
      """
      SELECT variable_value FROM information_schema.global_status \
      WHERE variable_name = 'INNODB_OS_LOG_WRITTEN'""";

  private static final String MARIA_OWN_NOT_COUNTED =
      """
      UPDATE performance_schema.threads SET instrumented = 'NO' \
      WHERE processlist_id = connection_id()""";

  private CountedStores() {}

  /** Starts one; empty if nothing can be counted on stores of that kind. */
  public static Optional<CountedStore> start(String kind) {
    return switch (kind) {
      case "redis" -> Optional.of(redis());
      case "postgresql" -> Optional.of(postgres());
      case "mariadb" -> Optional.of(maria());
      case "etcd" -> Optional.of(etcd());
      case "zookeeper" -> Optional.of(zookeeper());
      case "sqlite" -> Optional.of(sqlite());
      case "h2" -> Optional.of(h2());
      case "mongodb" -> Optional.of(mongo(StoreKind.of(kind).start()));
      case "memory" -> Optional.of(memory());
      default -> Optional.empty();
    };
  }

  private static CountedStore redis() {
    RedisServer server =
        RedisServer.launch("--appendfsync", "no", "--auto-aof-rewrite-percentage", "0");
    Traffic traffic = Traffic.to(server.port(), RespFraming::new);
    RedisCounters counters = new RedisCounters(server.port());
    String uri = "redis://127.0.0.1:%d?restartGuard=off".formatted(traffic.port());
    return new CountedStore(
        "Redis with appendonly yes. Commands are those of scripts and the scripts themselves; the time is that of the scripts; written is the append-only file",
        () -> AdapterContender.connect(uri),
        List.of(traffic, counters),
        List.of(counters, traffic, server));
  }

  private static CountedStore postgres() {
    PostgresServer server =
        PostgresServer.launch(
            "shared_preload_libraries=pg_stat_statements",
            "full_page_writes=off",
            "autovacuum=off");
    Traffic traffic = Traffic.to(server.port(), PostgresFraming::new);
    SqlCounters counters =
        new SqlCounters(
            server.uri(),
            POSTGRES_COMMANDS,
            POSTGRES_WRITTEN,
            "CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    return new CountedStore(
        "PostgreSQL with pg_stat_statements, which tells the statements and their time without the commit; written is the WAL, without the full pages after each checkpoint",
        () -> AdapterContender.connect(through(traffic, server)),
        List.of(traffic, counters),
        List.of(counters, traffic, server));
  }

  private static CountedStore maria() {
    MariaServer server = MariaServer.launch("--performance-schema=ON");
    Traffic traffic = Traffic.to(server.port(), MariadbFraming::new);
    SqlCounters counters =
        new SqlCounters(server.uri(), MARIA_COMMANDS, MARIA_WRITTEN, MARIA_OWN_NOT_COUNTED);
    return new CountedStore(
        "MariaDB with its performance schema, which tells the statements and their time with the commit, and with the sleeps in which waiters wait; written is InnoDB's log",
        () -> AdapterContender.connect(through(traffic, server)),
        List.of(traffic, counters),
        List.of(counters, traffic, server));
  }

  private static String through(Traffic traffic, DatabaseServer server) {
    return server.uri().replace(":" + server.port() + "/", ":" + traffic.port() + "/");
  }

  private static CountedStore etcd() {
    EtcdServer server = EtcdServer.launch("--metrics=extensive");
    Traffic traffic = Traffic.to(server.port(), Http2Framing::new);
    String uri = "etcd://127.0.0.1:" + traffic.port();
    return new CountedStore(
        "etcd with extensive metrics. Commands are reads, writes and leases inside the requests; the time is that of the requests other than keep-alives, with what they wait for; written is the log",
        () -> AdapterContender.connect(uri),
        List.of(traffic, new MetricsCounters(server::metrics)),
        List.of(traffic, server));
  }

  private static CountedStore zookeeper() {
    ZooServer server = ZooServer.launch();
    Traffic traffic = Traffic.to(server.port(), ZookeeperFraming::new, RequestNames::zookeeper);
    String uri =
        "zookeeper://127.0.0.1:%d?tickTime=%d".formatted(traffic.port(), ZooServer.TICK.toMillis());
    return new CountedStore(
        "ZooKeeper. Commands are reads and writes inside the requests",
        () -> AdapterContender.connect(uri),
        List.of(traffic, new ZookeeperCounters(server::metrics)),
        List.of(traffic, server));
  }

  private static CountedStore sqlite() {
    Path folder = Tools.makeTemporaryDirectory("holdfast-counts-");
    StatementCounters statements = new StatementCounters();
    String uri = "jdbc:sqlite:" + folder.resolve("locks.db");
    return new CountedStore(
        "SQLite. Written is what this process writes to files. Commands are statements; those of a watch, which asks for `PRAGMA data_version` and reads once that has changed, are named so",
        () -> EmbeddedBackends.sqlite(uri, statements, Deadline.in(Party.CALL)),
        List.of(statements, new WrittenBytes()),
        List.of(() -> Tools.delete(folder)));
  }

  private static CountedStore h2() {
    Path folder = Tools.makeTemporaryDirectory("holdfast-counts-");
    StatementCounters statements = new StatementCounters();
    String uri = "jdbc:h2:async:%s;AUTO_SERVER=TRUE".formatted(folder.resolve("locks"));
    return new CountedStore(
        "H2, a file. What it writes, it writes later. Commands are statements; those of a watch are named so",
        () -> EmbeddedBackends.h2(uri, statements, Deadline.in(Party.CALL)),
        List.of(statements),
        List.of(() -> Tools.delete(folder)));
  }

  private static CountedStore mongo(BenchmarkStore store) {
    int port = URI.create(store.uri()).getPort();
    Traffic traffic = Traffic.to(port, MongoFraming::new, RequestNames::mongo);
    String uri = store.uri().replace(":" + port, ":" + traffic.port());
    return new CountedStore(
        store.description(),
        () -> AdapterContender.connect(uri),
        List.of(traffic),
        List.of(traffic, store));
  }

  /** Nothing is asked of it. The memory that a client uses is seen without a driver. */
  private static CountedStore memory() {
    MemoryStore store = new MemoryStore("counts", MemoryOptions.DEFAULTS);
    return new CountedStore(
        "In this process, so its own memory counts, too",
        () -> store.connect(BackendOptions.DEFAULTS),
        List.of(),
        List.of());
  }
}
