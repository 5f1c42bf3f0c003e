package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.fixtures.KeptSessions.Session;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A session at a MariaDB server that is handed on.
 *
 * @param settings sets what the driver has set with the login, and the server forgets
 */
record MariaSession(Connection jdbc, String settings) implements Session {

  /** Has the driver ask the server to reset a session. */
  static final String OPTION = "useResetConnection=true";

  private static final String SETTINGS =
      """
      SELECT concat('SET sql_mode = ''', @@sql_mode,
        ''', session_track_system_variables = ''', @@session_track_system_variables,
        ''', NAMES ', @@character_set_client, ' COLLATE ', @@collation_connection)""";

  /** As long as the adapter gives a login at least. */
  private static final int LEAST_MILLIS = 5000;

  static MariaSession of(Connection made) throws SQLException {
    try (Statement statement = made.createStatement();
        ResultSet row = statement.executeQuery(SETTINGS)) {
      row.next();
      return new MariaSession(made, row.getString(1));
    }
  }

  @Override
  public void lead(String schema, Deadline deadline) throws SQLException {
    jdbc.setNetworkTimeout(Runnable::run, Math.max(LEAST_MILLIS, deadline.remainingMillis()));
    execute("USE " + schema);
  }

  @Override
  public void clear() throws SQLException {
    jdbc.unwrap(org.mariadb.jdbc.Connection.class).reset();
    execute(settings);
  }

  /** Whoever has just found by such a lock whom to wake up ends what comes next. */
  @Override
  public boolean canUndo(String statement) {
    return !statement.contains("GET_LOCK");
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = jdbc.createStatement()) {
      statement.execute(sql);
    }
  }
}
