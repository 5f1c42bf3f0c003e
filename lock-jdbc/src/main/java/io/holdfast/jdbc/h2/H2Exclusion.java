package io.holdfast.jdbc.h2;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.Exclusion;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import org.h2.api.ErrorCode;

/**
 * A constraint that no session meets. H2 neither locks tables for several statements nor drops them
 * in a transaction. The constraint can only be made while there is no session, and from then on
 * none can be opened; it goes with its table.
 *
 * @param sessions the name of the table of sessions
 */
record H2Exclusion(String sessions) implements Exclusion {

  @Override
  public Entry begin(DatabaseConnection connection, Collection<String> tables) throws SQLException {
    if (!tables.contains(sessions)) {
      return Entry.BEGUN; // A client that had retired the tables half has died.
    }
    try {
      execute(
          connection,
          "ALTER TABLE %s ADD CONSTRAINT IF NOT EXISTS %s_retired CHECK (id IS NULL)"
              .formatted(sessions, sessions));
      return Entry.BEGUN;
    } catch (SQLException e) {
      if (e.getErrorCode() == ErrorCode.CHECK_CONSTRAINT_VIOLATED_1) {
        return Entry.SESSION_IN_THE_WAY;
      }
      throw e;
    }
  }

  @Override
  public void finish(DatabaseConnection connection) {}

  @Override
  public void giveUp(DatabaseConnection connection) throws SQLException {
    execute(
        connection,
        "ALTER TABLE %s DROP CONSTRAINT IF EXISTS %s_retired".formatted(sessions, sessions));
  }

  private static void execute(DatabaseConnection connection, String sql) throws SQLException {
    try (Statement statement = connection.jdbc().createStatement()) {
      statement.execute(sql);
    }
  }
}
