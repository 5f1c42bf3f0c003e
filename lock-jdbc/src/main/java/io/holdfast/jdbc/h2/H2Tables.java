package io.holdfast.jdbc.h2;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.Tables;
import io.holdfast.jdbc.database.Tables.Presence;
import io.holdfast.jdbc.h2.H2Uri.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/** Makes the tables in an H2 database, or checks that those that are there can be used. */
final class H2Tables {

  private static final String PRESENT =
      """
      SELECT lower(table_name) AS tab, lower(column_name) AS col
      FROM information_schema.columns
      WHERE table_schema = CURRENT_SCHEMA
        AND lower(table_name) IN (lower(?), lower(?), lower(?))""";

  private static final String DELAYS_WRITES =
      """
      SELECT EXISTS (SELECT 1 FROM information_schema.settings
                     WHERE setting_name = 'WRITE_DELAY' AND setting_value <> '0')""";

  private static final String IN_ANOTHER_WAY =
      """
      SELECT life FROM {namespace} WHERE life <> ?""";

  private static final int ATTEMPTS_MAX = 10;

  private final LockDatabase database;
  private final Tables tables;

  H2Tables(LockDatabase database, Tables tables) {
    this.database = database;
    this.tables = tables;
  }

  /**
   * Makes the tables that are missing, and checks the others and what else must be as it is
   * everywhere. Tables that are as they should be cost no write.
   *
   * @throws BackendUnusableException if they, or the database, are not what they should be
   */
  void require(Connection connection, Kind kind) throws SQLException {
    if (connection.isReadOnly()) {
      throw new BackendUnusableException(H2Errors.READ_ONLY.formatted(database.describe()));
    }
    requireEmptyTexts(connection);
    requireWritesAtOnce(connection, kind);
    if (tables.check(connection, PRESENT) == Presence.MISSING) {
      insist(() -> tables.create(connection));
    }
    requireSameWay(connection, kind);
  }

  /** Checks what must be as it is everywhere, also for tables of any version. */
  void prepareFormer(Connection connection, Kind kind) throws SQLException {
    requireWritesAtOnce(connection, kind);
    if (tables.haveSessions(connection, PRESENT)) {
      requireSameWay(connection, kind);
    }
  }

  /** Checks what may change while the tables stay. */
  void requireWritesAtOnce(Connection connection, Kind kind) throws SQLException {
    if (kind != Kind.MEMORY) {
      insist(() -> writeAtOnce(connection));
    }
  }

  Set<String> there(Connection connection) throws SQLException {
    return tables.there(connection, PRESENT);
  }

  /** A change of the database as a whole. */
  private interface Change {
    void make() throws SQLException;
  }

  /** Several that do it at once are in each other's way, IF NOT EXISTS or not: all but one fail. */
  private static void insist(Change change) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        change.make();
        return;
      } catch (SQLException e) {
        if (H2Errors.isForGood(e) || attempt == ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  private void requireEmptyTexts(Connection connection) throws SQLException {
    if (isTrue(connection, "SELECT '' IS NULL")) {
      throw new BackendUnusableException(
          "%s takes empty texts for NULL, as its Oracle mode does. Use a database in regular mode."
              .formatted(database.describe()));
    }
  }

  /**
   * H2 writes half a second after it has answered, unless told otherwise: grants would be lost when
   * its process is killed, while their holders in other processes go on. Our connections open it
   * so; those of others may have opened it before. It forgets what it was told when the last
   * connection is closed.
   */
  private void writeAtOnce(Connection connection) throws SQLException {
    if (!isTrue(connection, DELAYS_WRITES)) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET WRITE_DELAY 0");
    } catch (SQLException e) {
      if (!H2Errors.isForGood(e)) {
        throw e;
      }
      throw new BackendUnusableException(
          "%s writes later than it answers, so that grants could be lost (%s). Have an administrator run SET WRITE_DELAY 0 each time it has been opened."
              .formatted(database.describe(), e.getMessage()),
          e);
    }
  }

  /** The same database reached in two ways would be judged by two incarnations. */
  private void requireSameWay(Connection connection, Kind kind) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(database.render(IN_ANOTHER_WAY))) {
      statement.setString(1, kind.name());
      try (ResultSet row = statement.executeQuery()) {
        if (row.next()) {
          throw new BackendUnusableException(
              "The locks in %s are those of clients that reach it as a %s, not as a %s. Use the same kind of URI everywhere."
                  .formatted(database.describe(), row.getString(1), kind));
        }
      }
    }
  }

  private static boolean isTrue(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() && row.getBoolean(1);
    }
  }
}
