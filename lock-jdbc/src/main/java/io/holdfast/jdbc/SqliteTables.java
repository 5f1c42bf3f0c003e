package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the tables of a lock file, or checks that those that are there can be used. */
final class SqliteTables {

  /** What this version reads and writes; a table may have more. */
  private static final Map<String, Set<String>> COLUMNS =
      Map.of(
          "locks", Set.of("name", "number", "since", "revoked", "was_head", "queue"),
          "sessions",
              Set.of("id", "ttl", "renewed", "incarnation", "opened_in", "process", "notices"),
          "namespace",
              Set.of("only", "protocol", "partitions", "max_ttl", "max_clock_step", "floor"));

  private static final String PRESENT =
      """
      SELECT t.name AS tab, c.name AS col
      FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name LIKE ? ESCAPE '\\'""";

  private final SqliteFile file;
  private final Database database;
  private final String prefix;

  SqliteTables(SqliteFile file, Database database, String prefix) {
    this.file = file;
    this.database = database;
    this.prefix = prefix;
  }

  /** Makes the tables that are missing. */
  void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : database.dialect().tables()) {
        statement.executeUpdate(database.render(table));
      }
    }
  }

  /**
   * Makes the tables that are missing, and checks the others. An existing file costs no write.
   *
   * @throws BackendUnusableException if they are those of another version
   */
  void require(Connection connection) throws SQLException {
    Map<String, Set<String>> present = present(connection);
    NamespaceTable.requireProtocol(
        connection, prefix, present.getOrDefault("namespace", Set.of()), database.describe());
    for (Map.Entry<String, Set<String>> table : COLUMNS.entrySet()) {
      @Nullable Set<String> columns = present.get(table.getKey());
      if (columns != null && !columns.containsAll(table.getValue())) {
        throw new BackendUnusableException(
            "The table %s%s in %s is not one of this version of the library. Use the version that made it, or another file."
                .formatted(prefix, table.getKey(), file));
      }
    }
    if (!present.keySet().containsAll(COLUMNS.keySet())) {
      create(connection);
    }
  }

  private Map<String, Set<String>> present(Connection connection) throws SQLException {
    Map<String, Set<String>> present = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(PRESENT)) {
      statement.setString(1, prefix.replace("_", "\\_") + "%");
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          present
              .computeIfAbsent(
                  rows.getString("tab").substring(prefix.length()), t -> new java.util.HashSet<>())
              .add(rows.getString("col"));
        }
      }
    }
    return present;
  }

  /**
   * Ends the sessions that were opened in another file than this: a copy or a backup of it may lack
   * grants that their holders believe in, while they go on renewing.
   */
  void endSessionsOfOtherLives(Connection connection, String life) throws SQLException {
    String condition = " FROM " + prefix + "sessions WHERE opened_in <> ?";
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
