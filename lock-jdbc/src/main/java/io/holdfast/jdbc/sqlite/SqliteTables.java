package io.holdfast.jdbc.sqlite;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.database.Tables;
import io.holdfast.jdbc.database.Tables.Presence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

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

  /** Ends the sessions of another file in tables of any version, which may be missing. */
  void prepareFormer(Connection connection, String dataIncarnation) throws SQLException {
    if (tables.haveSessions(connection, PRESENT)) {
      recordIncarnation(connection, dataIncarnation);
    }
  }

  Set<String> there(Connection connection) throws SQLException {
    return tables.there(connection, PRESENT);
  }

  /**
   * A copy or a backup of a file may lack grants that its sessions' holders believe in. It has no
   * restart guard: those go on with the file that they have open.
   */
  void recordIncarnation(Connection connection, String dataIncarnation) throws SQLException {
    endSessionsOfOthers(connection, dataIncarnation);
    if (isRecorded(connection, dataIncarnation)) {
      return;
    }
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE %snamespace SET life = ?".formatted(tables.prefix()))) {
      update.setString(1, dataIncarnation);
      update.executeUpdate();
    }
  }

  /** Their holders would go on renewing. Costs no write if there are none. */
  private void endSessionsOfOthers(Connection connection, String dataIncarnation)
      throws SQLException {
    String others = " FROM %ssessions WHERE opened_in <> ?".formatted(tables.prefix());
    try (PreparedStatement any = connection.prepareStatement("SELECT 1" + others + " LIMIT 1")) {
      any.setString(1, dataIncarnation);
      try (ResultSet rows = any.executeQuery()) {
        if (!rows.next()) {
          return;
        }
      }
    }
    try (PreparedStatement delete = connection.prepareStatement("DELETE" + others)) {
      delete.setString(1, dataIncarnation);
      delete.executeUpdate();
    }
  }

  private boolean isRecorded(Connection connection, String dataIncarnation) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT life FROM %snamespace".formatted(tables.prefix()))) {
      return !row.next() || row.getString(1).equals(dataIncarnation);
    }
  }
}
