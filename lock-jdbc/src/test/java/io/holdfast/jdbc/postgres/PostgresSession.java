package io.holdfast.jdbc.postgres;

import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/** A session at a PostgreSQL server that is handed on. */
record PostgresSession(Connection jdbc) {

  /** Makes a cleared one such as a login to that schema would have made it. */
  void lead(String schema, Deadline deadline) throws SQLException {
    jdbc.setNetworkTimeout(Runnable::run, Math.max(1, deadline.remainingMillis()));
    jdbc.setSchema(schema);
    jdbc.setNetworkTimeout(Runnable::run, 0);
  }

  /**
   * Undoes all that its user has left: the server sets back what it was told with the login, and
   * the driver forgets what it has prepared. Fails in a transaction.
   */
  void clear() throws SQLException {
    if (!jdbc.getAutoCommit()) {
      jdbc.rollback();
      jdbc.setAutoCommit(true);
    }
    jdbc.setReadOnly(false);
    try (Statement statement = jdbc.createStatement()) {
      statement.execute("DISCARD ALL");
    }
    jdbc.unwrap(PGConnection.class).getNotifications(); // Those that have come before.
    jdbc.clearWarnings();
  }
}
