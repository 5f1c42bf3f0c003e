package io.holdfast.jdbc;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.store.TckStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** The whole kit on an SQLite file. */
class SqliteTckTest extends HoldfastTck {

  @TempDir Path directory;

  @Override
  protected TckStore openStore() {
    return new SqliteStore("jdbc:sqlite:" + directory.resolve("locks.db"));
  }

  private record SqliteStore(String file) implements TckStore {

    @Override
    public LockBackend connect(BackendOptions options) {
      return new JdbcLockProvider().connect(file, options, Deadline.in(Duration.ofSeconds(20)));
    }

    @Override
    public Optional<String> uri() {
      return Optional.of(file);
    }

    @Override
    public void close() {
      // The temporary directory goes with its files.
    }
  }
}
