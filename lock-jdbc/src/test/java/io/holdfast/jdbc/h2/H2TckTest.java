package io.holdfast.jdbc.h2;

import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.FileStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The whole kit on an H2 database in a file, which several processes share. */
@SharedServer(disturbedBy = {})
@Adapter(
    value = "h2",
    provedBy = {H2RestartTest.class, H2ClockTckTest.class})
@Tag("long")
class H2TckTest extends HoldfastTck {

  @TempDir Path directory;
  private final AtomicInteger files = new AtomicInteger();

  @Override
  protected TckStore openStore() {
    Path database = directory.resolve("db" + files.incrementAndGet());
    return new H2Store(H2TestDatabase.patient(database), H2TestDatabase.in(database).uri());
  }

  /**
   * @param othersUri for other processes, which do not wait for rows for longer than for an answer
   */
  private record H2Store(H2TestDatabase place, String othersUri) implements FileStore, StepControl {

    @Override
    public LockBackend connect(BackendOptions options) {
      return place.backend(ServerSettings.standard(), options);
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return place.backend(
          ServerSettings.standard().onStatement(text -> beforeStep.run()), options);
    }

    @Override
    public Optional<String> uri() {
      return Optional.of(othersUri);
    }

    @Override
    public Connection open() throws SQLException {
      return place.connect();
    }

    @Override
    public void close() {
      place.close();
    }
  }
}
