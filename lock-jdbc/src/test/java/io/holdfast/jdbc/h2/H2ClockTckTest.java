package io.holdfast.jdbc.h2;

import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.EmbeddedClockTck;
import io.holdfast.tck.report.Adapter;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/** What comes of the clock of an H2 database in a file: that of the process which has it open. */
@Tag("server") // For want of a C compiler, which makes the library that sets the clock.
@Adapter("h2")
class H2ClockTckTest extends EmbeddedClockTck {

  @Override
  protected LockBackend connect(Path directory, BackendOptions options) {
    return H2TestDatabase.in(directory).backend(ServerSettings.standard(), options);
  }
}
