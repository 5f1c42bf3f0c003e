package io.holdfast.benchmarks.store;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.limit.SqlLimit;
import io.holdfast.benchmarks.peer.H2Peers;
import io.holdfast.tck.server.Tools;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * An H2 database in a file that several processes may share. This process has it open, so that what
 * the database does is on this process's account.
 */
final class H2Store implements BenchmarkStore {

  private final Path directory = Tools.makeTemporaryDirectory("holdfast-h2-");
  private final Connection open;

  private H2Store() {
    try {
      // It forgets the setting when its last connection is closed, so this one stays.
      open = connect();
      try (Statement statement = open.createStatement()) {
        statement.execute("SET WRITE_DELAY 0");
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static BenchmarkStore start() {
    return new H2Store();
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(uri(), "sa", "");
  }

  @Override
  public String uri() {
    return uri("locks");
  }

  /** Another file: an H2 of its own would be a client of the one that has this file open. */
  @Override
  public String earlierUri() {
    return uri("earlier");
  }

  private String uri(String database) {
    return "jdbc:h2:async:%s;AUTO_SERVER=TRUE".formatted(directory.resolve(database));
  }

  @Override
  public String description() {
    return Databases.product(uri() + ";USER=sa")
        + ", a file that is open in this JVM, AUTO_SERVER TRUE, WRITE_DELAY 0";
  }

  @Override
  public List<Contender> contenders() {
    return Contenders.of(limit(), uri(), H2Peers.all(uri() + ";USER=sa"));
  }

  private Contender limit() {
    return new SqlLimit(
        "a connection for each thread, autocommit, prepared once",
        "CREATE TABLE IF NOT EXISTS bare (name varbinary(512) PRIMARY KEY, owner varchar)",
        "INSERT INTO bare VALUES (?, ?)",
        "DELETE FROM bare WHERE name = ? AND owner = ?",
        this::connect);
  }

  @Override
  public void close() {
    try {
      open.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } finally {
      Tools.delete(directory);
    }
  }
}
