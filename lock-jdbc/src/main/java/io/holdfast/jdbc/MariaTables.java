package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import io.holdfast.jdbc.Tables.Presence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the tables in a database of MariaDB or MySQL, or checks that those that are there can be
 * used.
 */
final class MariaTables {

  private static final Logger LOG = LoggerFactory.getLogger(MariaTables.class);

  private static final String COLUMNS =
      """
      SELECT concat('{front}', table_name) AS tab, column_name AS col
      FROM information_schema.columns
      WHERE table_schema = {schema} AND table_name = substring_index(?, '.', -1)""";

  private static final String LOSSY =
      """
      SELECT table_name AS tab, engine AS kind FROM information_schema.tables
      WHERE table_schema = {schema} AND engine <> 'InnoDB'
        AND table_name = substring_index('%s', '.', -1)""";

  private static final String LAST_LIFE = "SELECT life, incarnation FROM {namespace}";

  /** The guard first: assignments see those before them. */
  private static final String NEXT_LIFE =
      """
      UPDATE {namespace} SET
        guard_until = CASE WHEN life = ? THEN guard_until
                           ELSE {now} + max_ttl + max_clock_step END,
        life = ?, incarnation = ?
      WHERE life = ? AND incarnation = ?""";

  private static final Set<Integer> LACKS_PRIVILEGE = Set.of(1044, 1142);

  private static final int ATTEMPTS_MAX = 10;

  private final Database database;
  private final Tables tables;

  MariaTables(Database database, Tables tables) {
    this.database = database;
    this.tables = tables;
  }

  /**
   * Makes the tables that are missing, and checks the others. Tables that are as they should be
   * cost no write.
   *
   * @throws BackendUnusableException if the tables are those of another version
   */
  void require(Connection connection) throws SQLException {
    // One by one, since what is asked about several tables is looked up in all there are.
    String present = where(String.join("\nUNION ALL\n", COLUMNS, COLUMNS, COLUMNS));
    if (tables.check(connection, present) == Presence.MISSING) {
      create(connection);
    }
    requireInnoDb(connection);
  }

  /**
   * Ends the sessions of an earlier life of the database. Costs no write if there are none.
   *
   * @return the life of the server, as everybody calls it
   */
  MariaLife enter(Connection connection, MariaState server) throws SQLException {
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      Optional<MariaLife> last = lastLife(connection);
      if (last.isEmpty()) {
        return server.firstLife();
      }
      MariaLife life = server.lifeAfter(last.get());
      // If it cannot be begun, somebody else was first.
      if (life.equals(last.get()) || begin(connection, last.get(), life)) {
        // After the guard, which covers what their holders believe, who would go on renewing.
        tables.endSessionsOfOtherLives(connection, life.life());
        return life;
      }
    }
    throw new SQLException(
        "The tables are used by several servers at once, each of which takes them for its own.");
  }

  /** Fills in in which database the tables are. */
  private String where(String query) {
    int dot = tables.prefix().indexOf('.');
    String schema = dot < 0 ? "DATABASE()" : "'" + tables.prefix().substring(0, dot) + "'";
    return query
        .replace("{schema}", schema)
        .replace("{front}", tables.prefix().substring(0, dot + 1));
  }

  private void create(Connection connection) throws SQLException {
    try {
      tables.create(connection);
    } catch (SQLException e) {
      if (LACKS_PRIVILEGE.contains(e.getErrorCode())) {
        throw tables.notAllowedToCreate(e);
      }
      throw e;
    }
  }

  private void requireInnoDb(Connection connection) throws SQLException {
    String query =
        Stream.of("locks", "sessions", "namespace")
            .map(table -> where(LOSSY).formatted(tables.prefix() + table))
            .collect(Collectors.joining("\nUNION ALL\n"));
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      if (rows.next()) {
        throw new BackendUnusableException(
            "The table %s in %s is of ENGINE = %s, which loses locks. Change it to InnoDB."
                .formatted(rows.getString("tab"), database.describe(), rows.getString("kind")));
      }
    }
  }

  private Optional<MariaLife> lastLife(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(database.render(LAST_LIFE))) {
      return rows.next()
          ? Optional.of(new MariaLife(rows.getString("life"), rows.getString("incarnation")))
          : Optional.empty();
    }
  }

  private boolean begin(Connection connection, MariaLife last, MariaLife next) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(database.render(NEXT_LIFE))) {
      update.setString(1, next.life());
      update.setString(2, next.life());
      update.setString(3, next.incarnation());
      update.setString(4, last.life());
      update.setString(5, last.incarnation());
      if (update.executeUpdate() == 0) {
        return false;
      }
    }
    if (!next.life().equals(last.life())) {
      LOG.warn(
          "{} is another server than before, or may have lost grants when it was started again ({}, before that {}): its restart guard has begun, until then nobody is granted a lock",
          database.describe(),
          next.life(),
          last.life());
    }
    return true;
  }
}
