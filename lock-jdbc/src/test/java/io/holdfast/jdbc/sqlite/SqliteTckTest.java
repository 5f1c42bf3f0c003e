package io.holdfast.jdbc.sqlite;

import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.fixtures.FileStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;

/** The whole kit on an SQLite file. */
@SharedServer(disturbedBy = {})
@Adapter(value = "sqlite", provedBy = SqliteClockTckTest.class)
class SqliteTckTest extends HoldfastTck {

  @TempDir Path directory;
  private final AtomicInteger files = new AtomicInteger();

  @Override
  protected TckStore openStore() {
    return new SqliteStore(
        "jdbc:sqlite:" + directory.resolve("locks%d.db".formatted(files.incrementAndGet())));
  }

  private record SqliteStore(String file) implements FileStore, StepControl {

    @Override
    public LockBackend connect(BackendOptions options) {
      return connect(options, UnaryOperator.identity());
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return connect(options, settings -> settings.onStatement(statement -> beforeStep.run()));
    }

    private LockBackend connect(BackendOptions options, UnaryOperator<SqliteSettings> otherwise) {
      return Backends.sqlite(
          SqliteFile.ofUri(file),
          otherwise.apply(SqliteSettings.standard()),
          options,
          Deadline.in(Duration.ofSeconds(20)));
    }

    @Override
    public Optional<String> uri() {
      return Optional.of(file);
    }

    @Override
    public boolean isEmbedded() {
      return true;
    }

    @Override
    public Connection open() throws SQLException {
      Connection connection = DriverManager.getConnection(file);
      try (Statement statement = connection.createStatement()) {
        statement.execute("PRAGMA busy_timeout = 20000");
      }
      return connection;
    }

    @Override
    public void close() {
      // The temporary directory goes with its files.
    }
  }
}
