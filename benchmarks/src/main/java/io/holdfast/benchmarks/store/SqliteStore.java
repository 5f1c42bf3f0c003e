package io.holdfast.benchmarks.store;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.HoldfastContender;
import io.holdfast.benchmarks.limit.SqlLimit;
import io.holdfast.tck.server.Tools;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;

/** A lock file. */
final class SqliteStore implements BenchmarkStore {

  private static final int BUSY_MILLIS = 20_000;

  private final Path directory = Tools.makeTemporaryDirectory("holdfast-sqlite-");

  private SqliteStore() {}

  static BenchmarkStore start() {
    return new SqliteStore();
  }

  @Override
  public String uri() {
    return "jdbc:sqlite:" + directory.resolve("locks.db");
  }

  /** Another file: two SQLite libraries in one process undo each other's locks on a file. */
  @Override
  public String earlierUri() {
    return "jdbc:sqlite:" + directory.resolve("earlier.db");
  }

  @Override
  public String description() {
    return Databases.product(uri()) + ", a file, journal_mode WAL, synchronous NORMAL";
  }

  @Override
  public List<Contender> contenders() {
    return List.of(limit(), new HoldfastContender(uri()));
  }

  private Contender limit() {
    return new SqlLimit(
        "a connection for each thread, autocommit, prepared once, no look for generated keys",
        "CREATE TABLE IF NOT EXISTS bare (name BLOB NOT NULL PRIMARY KEY, owner TEXT NOT NULL)"
            + " WITHOUT ROWID",
        "INSERT INTO bare VALUES (?, ?) ON CONFLICT DO NOTHING",
        "DELETE FROM bare WHERE name = ? AND owner = ?",
        this::connect);
  }

  private Connection connect() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(JournalMode.WAL);
    config.setSynchronous(SynchronousMode.NORMAL);
    config.setBusyTimeout(BUSY_MILLIS);
    config.setGetGeneratedKeys(false); // As the adapter does: it is quicker.
    return config.createConnection(uri());
  }

  @Override
  public void close() {
    Tools.delete(directory);
  }
}
