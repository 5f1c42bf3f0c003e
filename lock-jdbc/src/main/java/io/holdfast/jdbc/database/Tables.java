package io.holdfast.jdbc.database;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tables as every database has them.
 *
 * @param database whose they are
 * @param prefix what their names begin with
 */
public record Tables(LockDatabase database, String prefix) {

  /** The tables and columns that are the same in every database. */
  public static final Map<String, Set<String>> COLUMNS =
      Map.of(
          "sessions",
              Set.of("id", "ttl", "renewed", "incarnation", "opened_in", "process", "notices"),
          "namespace",
              Set.of(
                  "only_row",
                  "protocol",
                  "partitions",
                  "max_ttl",
                  "max_clock_step",
                  "floor",
                  "life",
                  "guard_until"));

  /** Whether all tables are there. */
  public enum Presence {
    COMPLETE,
    MISSING
  }

  /**
   * Checks the tables that are there.
   *
   * @param present asks for columns {@code tab, col}, all columns of the tables whose names are its
   *     parameters
   * @throws BackendUnusableException if they are those of another version
   */
  public Presence check(Connection connection, String present) throws SQLException {
    Map<String, Set<String>> found = present(connection, present);
    // First, because it can say more than that columns differ.
    if (found.getOrDefault("namespace", Set.of()).contains("protocol")) {
      requireProtocol(connection);
    }
    Map<String, Set<String>> columns = database.dialect().columns();
    for (Map.Entry<String, Set<String>> table : columns.entrySet()) {
      @Nullable Set<String> there = found.get(table.getKey());
      if (there != null && !there.containsAll(table.getValue())) {
        throw new BackendUnusableException(
            "The table %s%s in %s does not belong to this version of the library. Use the version that created it, or another prefix or schema for the tables."
                .formatted(prefix, table.getKey(), database.describe()));
      }
    }
    return found.keySet().containsAll(columns.keySet()) ? Presence.COMPLETE : Presence.MISSING;
  }

  /** Returns which tables are there, with any columns. */
  public Set<String> there(Connection connection, String present) throws SQLException {
    return present(connection, present).keySet();
  }

  /** Returns whether sessions of an earlier incarnation can be looked for. */
  public boolean haveSessions(Connection connection, String present) throws SQLException {
    return there(connection, present).containsAll(COLUMNS.keySet());
  }

  /**
   * Returns which tables a query names, in its column {@code tab}; their names are its parameters.
   */
  public List<String> named(Connection connection, String query) throws SQLException {
    List<String> named = new ArrayList<>();
    try (PreparedStatement statement = ofAll(connection, query);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        named.add(rows.getString("tab"));
      }
    }
    return named;
  }

  private PreparedStatement ofAll(Connection connection, String query) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(database.unprepared() + query);
    int parameter = 1;
    for (String table : database.dialect().columns().keySet()) {
      statement.setString(parameter++, prefix + table);
    }
    return statement;
  }

  private Map<String, Set<String>> present(Connection connection, String query)
      throws SQLException {
    Map<String, Set<String>> present = new HashMap<>();
    try (PreparedStatement statement = ofAll(connection, query);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        present
            .computeIfAbsent(rows.getString("tab").substring(prefix.length()), t -> new HashSet<>())
            .add(rows.getString("col"));
      }
    }
    return present;
  }

  private void requireProtocol(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT protocol FROM " + prefix + "namespace")) {
      while (rows.next()) {
        NamespaceSettings defaults = NamespaceWish.NONE.orDefaults();
        new NamespaceSettings(
                rows.getInt(1), defaults.partitions(), defaults.maxTtl(), defaults.maxClockStep())
            .requireReadable(database.describe(), database.dialect().protocol());
      }
    }
  }

  /** Returns the statements that make the tables, as one text. */
  public static String ddl(Dialect dialect, String prefix) {
    return dialect.tables().stream()
        .map(table -> dialect.render(table, prefix) + ";\n")
        .collect(Collectors.joining());
  }

  /** Makes the tables that are missing. */
  public void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : database.dialect().tables()) {
        statement.executeUpdate(database.render(table));
      }
    }
  }

  /** Returns what to throw where they are missing and the user may not make them. */
  public BackendUnusableException notAllowedToCreate(SQLException e) {
    return new BackendUnusableException(
        "Tables are missing in %s, and the user may not create them (%s). Ask an administrator to run:\n%s"
            .formatted(database.describe(), e.getMessage(), ddl(database.dialect(), prefix)),
        e);
  }
}
