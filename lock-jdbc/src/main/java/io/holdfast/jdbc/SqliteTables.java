package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import io.holdfast.jdbc.Tables.Presence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Makes the tables of a lock file, or checks that those that are there can be used. */
final class SqliteTables {

  private static final String PRESENT =
      """
      SELECT t.name AS tab, c.name AS col
      FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name IN (?, ?, ?)""";

  private final Tables tables;

  SqliteTables(Tables tables) {
    this.tables = tables;
  }

  /** Makes the tables that are missing. */
  void create(Connection connection) throws SQLException {
    tables.create(connection);
  }

  /**
   * Makes the tables that are missing, and checks the others. An existing file costs no write.
   *
   * @throws BackendUnusableException if they are those of another version
   */
  void require(Connection connection) throws SQLException {
    if (tables.check(connection, PRESENT) == Presence.MISSING) {
      create(connection);
    }
  }

  /**
   * Ends the sessions that were opened in another file than this: a copy or a backup of it may lack
   * grants that their holders believe in, while they go on renewing.
   */
  void endSessionsOfOtherLives(Connection connection, String life) throws SQLException {
    String condition = " FROM " + tables.prefix() + "sessions WHERE opened_in <> ?";
    try (PreparedStatement any = connection.prepareStatement("SELECT 1" + condition + " LIMIT 1")) {
      any.setString(1, life);
      try (ResultSet rows = any.executeQuery()) {
        if (!rows.next()) {
          return;
        }
      }
    }
    try (PreparedStatement delete = connection.prepareStatement("DELETE" + condition)) {
      delete.setString(1, life);
      delete.executeUpdate();
    }
  }
}
