package io.holdfast.benchmarks.store;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.limit.SqlLimit;
import io.holdfast.benchmarks.peer.PostgresPeers;
import io.holdfast.testing.postgres.PostgresServer;
import java.sql.DriverManager;
import java.util.List;

/** A PostgreSQL server that waits for its log, but not for its disk. */
final class PostgresStore implements BenchmarkStore {

  private final PostgresServer server = PostgresServer.launch("shared_buffers=128MB");

  private PostgresStore() {}

  static BenchmarkStore start() {
    return new PostgresStore();
  }

  @Override
  public String uri() {
    return server.uri();
  }

  @Override
  public String earlierUri() {
    return uri() + "&tablePrefix=earlier_";
  }

  @Override
  public String description() {
    return Databases.product(uri()) + ", synchronous_commit on, fsync off, else its defaults";
  }

  @Override
  public List<Contender> contenders() {
    return Contenders.of(limit(), uri(), PostgresPeers.all(uri()));
  }

  private Contender limit() {
    return new SqlLimit(
        "a connection for each thread, autocommit, prepared once",
        "CREATE TABLE IF NOT EXISTS bare (name bytea PRIMARY KEY, owner text NOT NULL)"
            + " WITH (fillfactor = 75)",
        "INSERT INTO bare VALUES (?, ?) ON CONFLICT DO NOTHING",
        "DELETE FROM bare WHERE name = ? AND owner = ?",
        () -> DriverManager.getConnection(uri()));
  }

  @Override
  public void close() {
    server.close();
  }
}
