package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Takes {@code jdbc:sqlite:FILE}, locks in one file for all processes of a machine, and {@code
 * jdbc:postgresql://HOST/DATABASE}, locks in a database for everybody who can reach it.
 */
public final class JdbcLockProvider implements LockProvider {

  /** Found by {@link java.util.ServiceLoader}. */
  public JdbcLockProvider() {}

  @Override
  public String name() {
    return "jdbc";
  }

  @Override
  public List<String> uriForms() {
    return List.of(SqliteFile.SCHEME + "FILE", PostgresSource.SCHEME + "//HOST/DATABASE");
  }

  @Override
  public boolean accepts(String uri) {
    return isOf(SqliteFile.SCHEME, uri) || isOf(PostgresSource.SCHEME, uri);
  }

  @Override
  public Optional<String> ddl(String uri) {
    Dialect dialect = isOf(SqliteFile.SCHEME, uri) ? new SqliteDialect() : new PostgresDialect();
    return Optional.of(Tables.ddl(dialect, JdbcUri.of(uri).tablePrefix()));
  }

  private static boolean isOf(String scheme, String uri) {
    return uri.toLowerCase(Locale.ROOT).startsWith(scheme);
  }

  @Override
  public LockBackend connect(String uri, BackendOptions options, Deadline deadline) {
    JdbcUri given = JdbcUri.of(uri);
    return isOf(SqliteFile.SCHEME, uri)
        ? sqlite(given, given.with(options), deadline)
        : postgres(given, given.with(options), deadline);
  }

  private static LockBackend postgres(JdbcUri uri, BackendOptions options, Deadline deadline) {
    ServerSettings settings = ServerSettings.standard().prefix(uri.tablePrefix());
    try {
      return JdbcLockBackend.postgres(uri.driver(), settings, options, deadline);
    } catch (NoClassDefFoundError e) {
      throw new BackendUnusableException(
          "PostgreSQL's driver is not on the class path: add the jar of org.postgresql:postgresql.",
          e);
    }
  }

  private static LockBackend sqlite(JdbcUri uri, BackendOptions options, Deadline deadline) {
    SqliteFile file = SqliteFile.ofUri(uri.driver());
    SqliteSettings settings = SqliteSettings.standard().prefix(uri.tablePrefix());
    try {
      return JdbcLockBackend.sqlite(file, settings, options, deadline);
    } catch (NoClassDefFoundError e) {
      throw new BackendUnusableException(
          "SQLite's driver is not on the class path: add the jar of org.xerial:sqlite-jdbc.", e);
    }
  }
}
