package io.holdfast.jdbc;

import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.h2.H2Uri;
import io.holdfast.jdbc.sqlite.SqliteFile;
import io.holdfast.jdbc.sqlite.SqliteSettings;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import java.util.function.Consumer;

/**
 * Makes backends of databases that are part of this process: there is no server that counts, so the
 * adapter tells of its statements. In the adapter's package, for only tests are told otherwise.
 */
public final class EmbeddedBackends {

  private EmbeddedBackends() {}

  /** Opens a lock file of SQLite. */
  public static LockBackend sqlite(String uri, Consumer<String> onStatement, Deadline deadline) {
    return JdbcLockBackend.sqlite(
        SqliteFile.ofUri(uri),
        SqliteSettings.standard().onStatement(onStatement),
        BackendOptions.DEFAULTS,
        deadline);
  }

  /** Opens a database of H2. */
  public static LockBackend h2(String uri, Consumer<String> onStatement, Deadline deadline) {
    return JdbcLockBackend.h2(
        new H2Uri(uri),
        ServerSettings.standard().onStatement(onStatement),
        BackendOptions.DEFAULTS,
        deadline);
  }
}
