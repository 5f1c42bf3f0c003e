package io.holdfast.jdbc.pools;

import io.holdfast.jdbc.connections.BackendThreads;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.function.BooleanSupplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The data source of a pool. With a driver's URL, HikariCP would set the login timeout of {@link
 * java.sql.DriverManager}, which the whole JVM shares.
 */
final class PoolSource implements DataSource {

  private final ConnectionOpener opener;
  private final BackendThreads threads;
  private final BooleanSupplier needed;

  /**
   * Makes one for a pool.
   *
   * @param needed whether the pool still needs a connection
   */
  PoolSource(ConnectionOpener opener, BackendThreads threads, BooleanSupplier needed) {
    this.opener = opener;
    this.threads = threads;
    this.needed = needed;
  }

  @Override
  public Connection getConnection() throws SQLException {
    return PooledConnection.of(opener.next(needed), threads);
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("The user is known already.");
  }

  /** The logins of a {@link ConnectionOpener} have a limit of their own. */
  @Override
  public void setLoginTimeout(int seconds) {}

  /** For so long a pool that is closed waits for a login, which ends at once then. */
  @Override
  public int getLoginTimeout() {
    return 1;
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter writer) {}

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("Logs by SLF4J.");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("Not a wrapper.");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
