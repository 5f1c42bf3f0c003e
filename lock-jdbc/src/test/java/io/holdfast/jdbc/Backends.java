package io.holdfast.jdbc;

import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.h2.H2Uri;
import io.holdfast.jdbc.mariadb.MariaDatabase;
import io.holdfast.jdbc.postgres.PostgresDatabase;
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

  /** Makes a backend of the PostgreSQL database to which a source connects. */
  public static LockBackend postgres(
      String uri,
      ConnectionSource source,
      ServerSettings settings,
      BackendOptions options,
      Deadline deadline) {
    return JdbcLockBackend.ofUri(PostgresDatabase::new, uri, source, settings, options, deadline);
  }

  /** Makes a backend of the MariaDB database to which a source connects. */
  public static LockBackend maria(
      String uri,
      ConnectionSource source,
      ServerSettings settings,
      BackendOptions options,
      Deadline deadline) {
    return JdbcLockBackend.ofUri(MariaDatabase::new, uri, source, settings, options, deadline);
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
