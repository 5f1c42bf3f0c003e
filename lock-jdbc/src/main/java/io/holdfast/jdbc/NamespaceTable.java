package io.holdfast.jdbc;

import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** What the namespace's table says of the others, in every database. */
final class NamespaceTable {

  private NamespaceTable() {}

  /**
   * Checks the protocol, if the table tells one. To be called before the columns of the tables are
   * compared, because it can say more than that they differ.
   *
   * @param columns the columns that the table has
   * @param where how the store is called in messages
   * @throws io.holdfast.BackendUnusableException if another version wrote it
   */
  static void requireProtocol(
      Connection connection, String prefix, Set<String> columns, String where) throws SQLException {
    if (!columns.contains("protocol")) {
      return;
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT protocol FROM " + prefix + "namespace")) {
      while (rows.next()) {
        NamespaceSettings defaults = NamespaceWish.NONE.orDefaults();
        new NamespaceSettings(
                rows.getInt(1), defaults.partitions(), defaults.maxTtl(), defaults.maxClockStep())
            .requireReadable(where);
      }
    }
  }
}
