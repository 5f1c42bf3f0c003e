package io.holdfast.jdbc;

import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.h2.H2Uri;
import io.holdfast.jdbc.sqlite.SqliteFile;
import io.holdfast.jdbc.sqlite.SqliteSettings;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import javax.sql.DataSource;

/** Makes backends with settings that only tests change. */
public final class Backends {

  private Backends() {}

  /** Makes a backend of a lock file. */
  public static LockBackend sqlite(
      SqliteFile file, SqliteSettings settings, BackendOptions options, Deadline deadline) {
    return JdbcLockBackend.sqlite(file, settings, options, deadline);
  }

  /** Makes a backend of a PostgreSQL database. */
  public static LockBackend postgres(
      String uri, ServerSettings settings, BackendOptions options, Deadline deadline) {
    return JdbcLockBackend.postgres(uri, settings, options, deadline);
  }

  /** Makes a backend of a MariaDB database. */
  public static LockBackend maria(
      String uri, ServerSettings settings, BackendOptions options, Deadline deadline) {
    return JdbcLockBackend.maria(uri, settings, options, deadline);
  }

  /** Makes a backend of an H2 database. */
  public static LockBackend h2(
      H2Uri uri, ServerSettings settings, BackendOptions options, Deadline deadline) {
    return JdbcLockBackend.h2(uri, settings, options, deadline);
  }

  /** Makes a backend over a data source. */
  public static LockBackend over(
      DataSource dataSource, ServerSettings settings, BackendOptions options, Deadline deadline) {
    return JdbcLockBackend.over(dataSource, settings, options, deadline);
  }
}
