package io.holdfast.benchmarks.store;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.limit.SqlLimit;
import io.holdfast.benchmarks.peer.MariaPeers;
import io.holdfast.testing.mariadb.MariaServer;
import java.sql.DriverManager;
import java.util.List;

/** A MariaDB server that writes its log at each commit, but does not wait for its disk. */
final class MariaStore implements BenchmarkStore {

  private final MariaServer server = MariaServer.launch("--innodb-buffer-pool-size=128M");

  private MariaStore() {}

  static BenchmarkStore start() {
    return new MariaStore();
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
    return Databases.product(uri())
        + ", innodb_flush_log_at_trx_commit 1, innodb_flush_method nosync, no binary log";
  }

  @Override
  public List<Contender> contenders() {
    return Contenders.of(limit(), uri(), MariaPeers.all(uri()));
  }

  private Contender limit() {
    return new SqlLimit(
        "a connection for each thread, autocommit, prepared once, at the server",
        "CREATE TABLE IF NOT EXISTS bare (name varbinary(512) PRIMARY KEY, owner text NOT NULL)"
            + " ENGINE = InnoDB",
        "INSERT IGNORE INTO bare VALUES (?, ?)",
        "DELETE FROM bare WHERE name = ? AND owner = ?",
        () -> DriverManager.getConnection(uri() + "&useServerPrepStmts=true"));
  }

  @Override
  public void close() {
    server.close();
  }
}
