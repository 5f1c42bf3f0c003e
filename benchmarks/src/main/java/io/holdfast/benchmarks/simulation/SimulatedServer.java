package io.holdfast.benchmarks.simulation;

import io.holdfast.testing.etcd.EtcdServer;
import io.holdfast.testing.postgres.PostgresServer;
import io.holdfast.testing.redis.RedisServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.DoubleSupplier;
import java.util.regex.Pattern;

/**
 * A real server that counts what it is asked.
 *
 * @param costs what the model says that it is asked
 * @param uri where it is
 * @param counted how many operations it has done so far, in the model's unit
 * @param end ends it
 */
public record SimulatedServer(StoreCosts costs, String uri, DoubleSupplier counted, Runnable end)
    implements AutoCloseable {

  private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha:calls=(\\d+)");
  private static final Pattern REQUESTS =
      Pattern.compile("(?m)^grpc_server_handled_total\\{.*} ([0-9.e+]+)$");

  /** Starts a Redis server that writes nothing to its disk. */
  public static SimulatedServer redis() {
    RedisServer server = RedisServer.launch("--appendonly", "no");
    return new SimulatedServer(
        StoreCosts.REDIS,
        server.uri(),
        () -> sum(SCRIPTS, server.command("INFO", "commandstats")),
        server::close);
  }

  /** Starts an etcd that is a cluster by itself and does not wait for its disk. */
  public static SimulatedServer etcd() {
    EtcdServer server = EtcdServer.launch("--unsafe-no-fsync");
    return new SimulatedServer(
        StoreCosts.ETCD,
        "etcd://" + server.address(),
        () -> sum(REQUESTS, server.metrics()),
        server::close);
  }

  /** Starts a PostgreSQL server. Each statement of Holdfast is a transaction of its own. */
  public static SimulatedServer postgresql() {
    PostgresServer server = PostgresServer.launch("shared_buffers=128MB");
    return new SimulatedServer(
        StoreCosts.POSTGRESQL, server.uri(), () -> commits(server.uri()), server::close);
  }

  private static double sum(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .mapToDouble(found -> Double.parseDouble(found.group(1)))
        .sum();
  }

  private static double commits(String uri) {
    try (Connection connection = DriverManager.getConnection(uri);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()")) {
      row.next();
      return row.getDouble(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    end.run();
  }
}
