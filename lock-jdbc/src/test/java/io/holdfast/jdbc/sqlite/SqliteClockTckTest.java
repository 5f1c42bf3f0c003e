package io.holdfast.jdbc.sqlite;

import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.EmbeddedClockTck;
import io.holdfast.tck.report.Adapter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** What comes of the clock of an SQLite file: that of the process which has it open. */
@Tag("server") // For want of a C compiler, which makes the library that sets the clock.
@Adapter("sqlite")
class SqliteClockTckTest extends EmbeddedClockTck {

  @Override
  protected LockBackend connect(Path directory, BackendOptions options) {
    return Backends.sqlite(
        SqliteFile.ofUri("jdbc:sqlite:" + directory.resolve("locks.db")),
        SqliteSettings.standard(),
        options,
        LockFile.soon());
  }
}
