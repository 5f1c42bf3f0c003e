package io.holdfast.jdbc.h2;

import io.holdfast.jdbc.rules.QueueTextStressRules;
import io.holdfast.spi.LockBackend;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Many clients of one H2 database at the same time. */
@Tag("long")
class H2StressTest implements QueueTextStressRules {

  @TempDir private Path directory;
  private H2TestDatabase database;

  @BeforeEach
  void make() {
    database = H2TestDatabase.patient(directory);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Override
  public LockBackend backend() {
    return database.backend();
  }

  @Override
  public Connection past() throws SQLException {
    return database.connect();
  }
}
