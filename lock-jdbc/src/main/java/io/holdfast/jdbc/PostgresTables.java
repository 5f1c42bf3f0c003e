package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the tables in a PostgreSQL database, or checks that those that are there can be used. */
final class PostgresTables {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresTables.class);

  private static final String PRESENT =
      """
      SELECT t.tab, a.attname AS col
      FROM (VALUES (?), (?), (?)) t (tab)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = to_regclass(t.tab)
      WHERE a.attnum > 0 AND NOT a.attisdropped""";

  private static final String NEW_LIFE =
      """
      UPDATE holdfast_namespace SET life = ?, guard_until = {now} + max_ttl + max_clock_step
      WHERE life <> ?""";

  /** A name was taken by somebody else between the look and the making of it. */
  private static final Set<String> MADE_MEANWHILE = Set.of("23505", "42P07", "42710");

  private static final String LACKS_PRIVILEGE = "42501";

  private static final int ATTEMPTS_MAX = 10;

  private final Database database;
  private final Tables tables;

  PostgresTables(Database database, Tables tables) {
    this.database = database;
    this.tables = tables;
  }

  /**
   * Makes the tables that are missing, checks the others, and ends the sessions of an earlier life
   * of the database. Tables that are as they should be cost no write.
   *
   * @param life the timeline of the data
   * @throws BackendUnusableException if the tables are those of another version
   */
  void require(Connection connection, String life) throws SQLException {
    switch (tables.check(connection, PRESENT)) {
      case COMPLETE -> endOtherLives(connection, life);
      case MISSING -> create(connection);
    }
  }

  /** IF NOT EXISTS does not help when two do it at once: one of them fails then. */
  private void create(Connection connection) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        tables.create(connection);
        return;
      } catch (SQLException e) {
        if (LACKS_PRIVILEGE.equals(e.getSQLState())) {
          throw tables.notAllowedToCreate(e);
        }
        if (!MADE_MEANWHILE.contains(e.getSQLState()) || attempt == ATTEMPTS_MAX) {
          throw e;
        }
      }
    }
  }

  /**
   * A promoted replica, or a server restored to a point in time, may lack grants whose holders
   * believe in them. First the restart guard, which covers them; then their sessions are ended, who
   * would go on renewing.
   */
  private void endOtherLives(Connection connection, String life) throws SQLException {
    if (!isAnother(connection, life)) {
      return;
    }
    try (PreparedStatement update = connection.prepareStatement(database.render(NEW_LIFE))) {
      update.setString(1, life);
      update.setString(2, life);
      if (update.executeUpdate() > 0) {
        LOG.warn(
            "{} is on timeline {} now, and may have lost grants with the change: its restart guard has begun, until then nobody is granted a lock",
            database.describe(),
            life);
      }
    }
    tables.endSessionsOfOtherLives(connection, life);
  }

  private boolean isAnother(Connection connection, String life) throws SQLException {
    String any =
        "SELECT EXISTS (SELECT 1 FROM %1$snamespace WHERE life <> ?) OR EXISTS (SELECT 1 FROM %1$ssessions WHERE opened_in <> ?)"
            .formatted(tables.prefix());
    try (PreparedStatement statement = connection.prepareStatement(any)) {
      statement.setString(1, life);
      statement.setString(2, life);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }
}
