package io.holdfast.jdbc.sqlite;

import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.jdbc.rules.QueueTextStressRules;
import io.holdfast.spi.LockBackend;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Many clients of one lock file, each with connections of its own, as those of processes. */
class SqliteStressTest implements QueueTextStressRules {

  @TempDir private Path directory;
  private LockFile file;

  @BeforeEach
  void open() {
    file = LockFile.in(directory);
  }

  @AfterEach
  void close() {
    file.close();
  }

  @Override
  public LockBackend backend() {
    return file.backend();
  }

  @Override
  public Connection past() throws SQLException {
    Connection past = file.connect();
    try (Statement statement = past.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 60000");
    }
    return past;
  }
}
