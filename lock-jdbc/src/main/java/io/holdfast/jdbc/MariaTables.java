package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import io.holdfast.jdbc.Tables.Presence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the tables in a database of MariaDB or MySQL, or checks that those that are there can be
 * used.
 */
final class MariaTables {

  private static final Logger LOG = LoggerFactory.getLogger(MariaTables.class);

  private static final String PRESENT =
      """
      SELECT table_name AS tab, column_name AS col FROM information_schema.columns
      WHERE table_schema = DATABASE() AND table_name IN (?, ?, ?)""";

  private static final String LOSSY =
      """
      SELECT table_name AS tab, engine AS kind FROM information_schema.tables
      WHERE table_schema = DATABASE() AND engine <> 'InnoDB'
        AND table_name IN ('holdfast_locks', 'holdfast_sessions', 'holdfast_namespace')""";

  private static final String LAST_LIFE = "SELECT life, incarnation FROM holdfast_namespace";

  /** The guard first: assignments see those before them. */
  private static final String NEXT_LIFE =
      """
      UPDATE holdfast_namespace SET
        guard_until = CASE WHEN life = ? THEN guard_until
                           ELSE {now} + max_ttl + max_clock_step END,
        life = ?, incarnation = ?
      WHERE life = ? AND incarnation = ?""";

  private static final int ATTEMPTS_MAX = 10;

  private final Database database;
  private final Tables tables;

  MariaTables(Database database, Tables tables) {
    this.database = database;
    this.tables = tables;
  }

  /**
   * Makes the tables that are missing, checks the others, and ends the sessions of an earlier life
   * of the database. Tables that are as they should be cost no write.
   *
   * @return the life of the server, as everybody calls it
   * @throws BackendUnusableException if the tables are those of another version
   */
  MariaLife require(Connection connection, MariaState server) throws SQLException {
    if (tables.check(connection, PRESENT) == Presence.MISSING) {
      tables.create(connection);
    }
    requireInnoDb(connection);
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

  private void requireInnoDb(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(database.render(LOSSY))) {
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

  private boolean begin(Connection connection, MariaLife last, MariaLife next)
      throws SQLException {
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
