package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
      UPDATE {namespace} SET life = {life}, guard_until = {now} + max_ttl + max_clock_step
      WHERE life <> {life}
      RETURNING life""";

  /** Only after the guard of the life in which they are ended. */
  private static final String END_OTHERS =
      """
      DELETE FROM {sessions}
      WHERE opened_in <> {life} AND EXISTS (SELECT 1 FROM {namespace} n WHERE n.life = {life})""";

  private static final String IS_ANOTHER =
      """
      SELECT EXISTS (SELECT 1 FROM {namespace} WHERE life <> {life})
          OR EXISTS (SELECT 1 FROM {sessions} WHERE opened_in <> {life})""";

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
   * @throws BackendUnusableException if the tables are those of another version
   */
  void require(Connection connection) throws SQLException {
    switch (tables.check(connection, PRESENT)) {
      case COMPLETE -> endOtherLives(connection);
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
   *
   * @return whether there was anything of another life
   */
  boolean endOtherLives(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row = statement.executeQuery(database.render(IS_ANOTHER))) {
        row.next();
        if (!row.getBoolean(1)) {
          return false;
        }
      }
      try (ResultSet begun = statement.executeQuery(database.render(NEW_LIFE))) {
        while (begun.next()) {
          LOG.warn(
              "{} is on timeline {} now, and may have lost grants with the change: its restart guard has begun, until then nobody is granted a lock",
              database.describe(),
              begun.getString("life"));
        }
      }
      statement.executeUpdate(database.render(END_OTHERS));
      return true;
    }
  }
}
