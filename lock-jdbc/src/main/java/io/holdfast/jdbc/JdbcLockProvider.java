package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import java.util.List;
import java.util.Locale;

/** Takes {@code jdbc:sqlite:FILE}: locks in one file for all processes of a machine. */
public final class JdbcLockProvider implements LockProvider {

  /** Found by {@link java.util.ServiceLoader}. */
  public JdbcLockProvider() {}

  @Override
  public String name() {
    return "jdbc";
  }

  @Override
  public List<String> uriForms() {
    return List.of(SqliteFile.SCHEME + "FILE");
  }

  @Override
  public boolean accepts(String uri) {
    return uri.toLowerCase(Locale.ROOT).startsWith(SqliteFile.SCHEME);
  }

  @Override
  public LockBackend connect(String uri, BackendOptions options, Deadline deadline) {
    SqliteFile file = SqliteFile.ofUri(uri);
    try {
      return JdbcLockBackend.sqlite(file, SqliteSettings.standard(), options, deadline);
    } catch (NoClassDefFoundError e) {
      throw new BackendUnusableException(
          "SQLite's driver is not on the class path: add the jar of org.xerial:sqlite-jdbc.", e);
    }
  }
}
