package io.holdfast.jdbc.sqlite;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.file.FileWatch;
import java.sql.SQLException;
import java.util.Map;

/**
 * The number of commits to a lock file by other connections. SQLite counts them in memory that all
 * processes with this file share, so that asking reads no page and waits for no client; commits of
 * this very connection do not count, and there are none.
 */
final class DataVersion implements FileWatch.Question {

  private static final String VERSION = "PRAGMA data_version";

  private final DatabaseConnection own;
  private final SqliteDatabase database;
  private long version;

  DataVersion(DatabaseConnection own, SqliteDatabase database) {
    this.own = own;
    this.database = database;
  }

  @Override
  public boolean hasChanged() throws SQLException {
    if (database.isStale(own.origin())) {
      throw new SQLException("The lock file is not there any more.");
    }
    long before = version;
    version = own.read(VERSION, Map.of(), row -> row.getLong(1)).get(0);
    return version != before;
  }
}
