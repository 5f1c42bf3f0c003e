package io.holdfast.jdbc.database;

import io.holdfast.jdbc.connections.DatabaseConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.stream.Collectors;

/**
 * How one client keeps all others from opening sessions while it retires the tables, in several
 * statements. If it dies, its connection breaks and the others go on.
 */
public interface Exclusion {

  /** Whether others are kept out. */
  enum Entry {
    BEGUN,
    /** A session came in between. */
    SESSION_IN_THE_WAY
  }

  /**
   * Keeps the others out from now on.
   *
   * @param tables the names of all our tables that are there
   */
  Entry begin(DatabaseConnection connection, Collection<String> tables) throws SQLException;

  /** Lets the others in again, to what has been changed meanwhile. */
  void finish(DatabaseConnection connection) throws SQLException;

  /** Lets the others in again; the tables have not been changed. */
  void giveUp(DatabaseConnection connection) throws SQLException;

  /**
   * A transaction, for databases that can drop tables in one.
   *
   * @param begin begins it, with {@code %s} for the list of the tables
   */
  static Exclusion transaction(String... begin) {
    return new Exclusion() {
      @Override
      public Entry begin(DatabaseConnection connection, Collection<String> tables)
          throws SQLException {
        for (String statement : begin) {
          execute(connection, statement.formatted(String.join(", ", tables)));
        }
        return Entry.BEGUN;
      }

      @Override
      public void finish(DatabaseConnection connection) throws SQLException {
        execute(connection, "COMMIT");
      }

      @Override
      public void giveUp(DatabaseConnection connection) throws SQLException {
        execute(connection, "ROLLBACK");
      }
    };
  }

  /** Locks on the tables, for databases in which a change of tables ends a transaction. */
  static Exclusion tableLocks() {
    return new Exclusion() {
      @Override
      public Entry begin(DatabaseConnection connection, Collection<String> tables)
          throws SQLException {
        execute(
            connection,
            tables.stream()
                .map(table -> table + " WRITE")
                .collect(Collectors.joining(", ", "LOCK TABLES ", "")));
        return Entry.BEGUN;
      }

      @Override
      public void finish(DatabaseConnection connection) throws SQLException {
        execute(connection, "UNLOCK TABLES");
      }

      @Override
      public void giveUp(DatabaseConnection connection) throws SQLException {
        finish(connection);
      }
    };
  }

  private static void execute(DatabaseConnection connection, String sql) throws SQLException {
    Connection jdbc = connection.jdbc();
    try (Statement statement = jdbc.createStatement()) {
      statement.execute(sql);
    }
  }
}
