package io.holdfast.jdbc;

import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** One database of a MariaDB or MySQL server. */
final class MariaDatabase extends ServerDatabase {

  /** What sets a connection back. */
  private static final String PREVIOUS =
      """
      SELECT concat('SET SESSION time_zone = ''', @@time_zone, ''', sql_mode = ''', @@sql_mode,
        ''', innodb_lock_wait_timeout = ', @@innodb_lock_wait_timeout,
        ', lock_wait_timeout = ', @@lock_wait_timeout, ', wait_timeout = ', @@wait_timeout)""";

  /**
   * Whatever they were set to for the server or by an earlier use of the connection. A statement
   * whose client has given up waiting ends within ten seconds too, also if somebody else keeps its
   * row or its table locked.
   */
  private static final String SETTINGS =
      """
      SET SESSION time_zone = '+00:00',
        sql_mode = 'STRICT_ALL_TABLES,PIPES_AS_CONCAT,NO_ENGINE_SUBSTITUTION',
        innodb_lock_wait_timeout = 10, lock_wait_timeout = 10, wait_timeout = 28800""";

  private final MariaDialect dialect = new MariaDialect();
  private final MariaTables tables;

  MariaDatabase(String name, ServerSettings settings, ConnectionSource source, Watch watch) {
    super(name, settings, source, watch);
    this.tables = new MariaTables(this, new Tables(this, settings.prefix()));
  }

  @Override
  public boolean mayLoseGrants() {
    return true;
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public boolean isHarmless(SQLException e) {
    return MariaErrors.isHarmless(e);
  }

  @Override
  boolean isBroken(SQLException e) {
    return MariaErrors.isBroken(e);
  }

  @Override
  RuntimeException failure(SQLException e, Effect before, Effect broken) {
    return MariaErrors.failure(describe(), e, before, broken);
  }

  /**
   * Calls are ended from outside, but MariaDB's driver does that by asking the server to, and where
   * the server does not answer, it hangs.
   */
  @Override
  public void limit(Connection connection, Deadline deadline) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, Math.max(1, deadline.remainingMillis()));
  }

  @Override
  Server prepare(Taken taken, TheTables there) throws SQLException {
    Connection connection = taken.connection();
    int timeout = connection.getNetworkTimeout();
    taken.undoneBy(() -> connection.setNetworkTimeout(Runnable::run, timeout));
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row = statement.executeQuery(PREVIOUS)) {
        row.next();
        taken.undoneBy(row.getString(1));
        taken.undoneBy("SET %s = NULL".formatted(MariaState.STARTED));
      }
      statement.execute(SETTINGS);
    }
    if (there == TheTables.MAKE_OR_CHECK) {
      tables.require(connection);
    }
    MariaLife life = tables.enter(connection, MariaState.read(connection, describe()));
    return new Server(life.incarnation(), life.life());
  }
}
