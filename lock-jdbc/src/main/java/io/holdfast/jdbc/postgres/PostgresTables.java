package io.holdfast.jdbc.postgres;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.Tables;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the tables in a PostgreSQL database, or checks that those that are there can be used. */
final class PostgresTables {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresTables.class);

  private static final String PRESENT =
      """
      SELECT t.tab, a.attname AS col
      FROM (VALUES (?), (?), (?), (?)) t (tab)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = to_regclass(t.tab)
      WHERE a.attnum > 0 AND NOT a.attisdropped""";

  /** Of tables that the server empties when it was not shut down, or that others do not see. */
  private static final String NOT_KEPT =
      """
      SELECT t.tab
      FROM (VALUES (?), (?), (?), (?)) t (tab)
      JOIN pg_catalog.pg_class c ON c.oid = to_regclass(t.tab)
      WHERE c.relpersistence <> 'p'""";

  private static final String NEW_INCARNATION =
      """
      UPDATE {namespace} SET life = {data incarnation}, guard_until = {now} + max_ttl + max_clock_step
      WHERE life <> {data incarnation}
      RETURNING life""";

  /** Only after the restart guard of the new incarnation has begun. */
  private static final String END_OTHERS =
      """
      DELETE FROM {sessions}
      WHERE opened_in <> {data incarnation} AND EXISTS (SELECT 1 FROM {namespace} n WHERE n.life = {data incarnation})""";

  private static final String IS_ANOTHER =
      """
      SELECT EXISTS (SELECT 1 FROM {namespace} WHERE life <> {data incarnation})
          OR EXISTS (SELECT 1 FROM {sessions} WHERE opened_in <> {data incarnation})""";

  /** Another client created the same table between the check and the creation. */
  private static final Set<String> MADE_MEANWHILE = Set.of("23505", "42P07", "42710");

  private static final String LACKS_PRIVILEGE = "42501";

  private static final int ATTEMPTS_MAX = 10;

  private final LockDatabase database;
  private final Tables tables;

  PostgresTables(LockDatabase database, Tables tables) {
    this.database = database;
    this.tables = tables;
  }

  /**
   * Makes the tables that are missing, checks the others, and ends the sessions of an earlier
   * incarnation of the data. Tables that are as they should be cost no write.
   *
   * @throws BackendUnusableException if the tables are those of another version, or the server does
   *     not keep the rows of one of them
   */
  void require(Connection connection) throws SQLException {
    switch (tables.check(connection, PRESENT)) {
      case COMPLETE -> {
        requireKept(connection);
        recordIncarnation(connection);
      }
      case MISSING -> create(connection);
    }
  }

  private void requireKept(Connection connection) throws SQLException {
    List<String> notKept = tables.named(connection, NOT_KEPT);
    if (!notKept.isEmpty()) {
      String table = notKept.get(0);
      throw new BackendUnusableException(
          "The table %s in %s is unlogged or temporary: when the server crashes all locks are lost, and given to others while their holders believe in them. Run ALTER TABLE %s SET LOGGED, or make it anew."
              .formatted(table, database.describe(), table));
    }
  }

  /** Ends the sessions of an earlier incarnation of the data in tables of any version. */
  void prepareFormer(Connection connection) throws SQLException {
    if (tables.haveSessions(connection, PRESENT)) {
      recordIncarnation(connection);
    }
  }

  Set<String> there(Connection connection) throws SQLException {
    return tables.there(connection, PRESENT);
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
   * A promoted replica, a server restored to a point in time, or one that a dump was restored into,
   * may lack grants whose holders believe in them. First the restart guard, which covers them; then
   * their sessions are ended, who would go on renewing.
   *
   * @return whether there was a record or session of another incarnation
   */
  boolean recordIncarnation(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet row = statement.executeQuery(database.render(IS_ANOTHER))) {
        row.next();
        if (!row.getBoolean(1)) {
          return false;
        }
      }
      try (ResultSet begun = statement.executeQuery(database.render(NEW_INCARNATION))) {
        while (begun.next()) {
          LOG.warn(
              "{} is another cluster than before, or on another timeline (now {}), and may have lost grants with the change: no lock is granted until the restart guard ends",
              database.describe(),
              begun.getString("life"));
        }
      }
      statement.executeUpdate(database.render(END_OTHERS));
      return true;
    }
  }
}
