package io.holdfast.jdbc.mariadb;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.connections.NamedSql;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.Tables;
import io.holdfast.jdbc.database.Tables.Presence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
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

  private static final String LAST_INCARNATION = "SELECT life, incarnation FROM {namespace}";

  /**
   * Whether a table was made since the server was started. A clock that was set back since makes no
   * table younger: it came in the future then.
   */
  private static final String IS_YOUNGER =
      """
      SELECT 1 FROM information_schema.tables
      WHERE table_schema = {schema} AND table_name = substring_index('%s', '.', -1)
        AND unix_timestamp(create_time) > %s AND create_time <= NOW()""";

  /** The guard first: assignments see those before them. */
  private static final String NEXT_INCARNATION =
      """
      UPDATE {namespace} SET
        guard_until = CASE WHEN life = {data incarnation} THEN guard_until
                           ELSE {now} + max_ttl + max_clock_step END,
        life = {data incarnation}, incarnation = {incarnation}
      WHERE life = :lastlife AND incarnation = :last""";

  /**
   * Only after the restart guard of the new incarnation has begun, and where this is the server
   * that was asked for it: where a proxy leads to another one meanwhile, all sessions would go.
   */
  private static final String OF_OTHER_INCARNATIONS =
      """
      FROM {sessions}
      WHERE opened_in <> {data incarnation}
        AND EXISTS (SELECT 1 FROM {namespace} n WHERE n.life = {data incarnation})""";

  private static final String ARE_OTHERS = "SELECT 1 " + OF_OTHER_INCARNATIONS + " LIMIT 1";
  private static final String END_OTHERS = "DELETE " + OF_OTHER_INCARNATIONS;

  private static final Set<Integer> LACKS_PRIVILEGE = Set.of(1044, 1142);

  private static final int ATTEMPTS_MAX = 10;

  private final LockDatabase database;
  private final Tables tables;

  MariaTables(LockDatabase database, Tables tables) {
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
    if (tables.check(connection, present()) == Presence.MISSING) {
      create(connection);
    }
    requireInnoDb(connection);
  }

  /** One by one, since a question about several tables is looked up in all there are. */
  private String present() {
    return where(String.join("\nUNION ALL\n", COLUMNS, COLUMNS, COLUMNS));
  }

  Set<String> there(Connection connection) throws SQLException {
    return tables.there(connection, present());
  }

  /** Records the incarnation in tables of any version, which may be missing. */
  MariaIncarnation prepareFormer(Connection connection, MariaState server) throws SQLException {
    return tables.haveSessions(connection, present())
        ? recordIncarnation(connection, server)
        : server.firstIncarnation();
  }

  /**
   * Records the incarnation of the server, and ends the sessions of an earlier incarnation of the
   * data. Costs no write if nothing has changed.
   *
   * @return the incarnation as it is recorded, the same for all clients
   */
  MariaIncarnation recordIncarnation(Connection connection, MariaState server) throws SQLException {
    for (int attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      Optional<MariaIncarnation> last = lastIncarnation(connection);
      if (last.isEmpty()) {
        return server.firstIncarnation();
      }
      MariaIncarnation incarnation = server.incarnationAfter(last.get());
      if (incarnation.isRestartOf(last.get()) && isCarriedOver(connection)) {
        incarnation = server.firstIncarnation();
      }
      // If the update changes nothing, another client was first.
      if (incarnation.equals(last.get()) || begin(connection, last.get(), incarnation)) {
        endSessionsOfOthers(connection, incarnation);
        return incarnation;
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

  private Optional<MariaIncarnation> lastIncarnation(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(database.render(LAST_INCARNATION))) {
      return rows.next()
          ? Optional.of(new MariaIncarnation(rows.getString("life"), rows.getString("incarnation")))
          : Optional.empty();
    }
  }

  /**
   * Returns whether the record of an earlier start lies in a table made after the present one: a
   * dump of another server's data, or of earlier data, was restored. Nothing else tells, where the
   * new server has the host name, the port and the id of the old one.
   */
  private boolean isCarriedOver(Connection connection) throws SQLException {
    String query = where(IS_YOUNGER).formatted(tables.prefix() + "namespace", MariaState.STARTED);
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next();
    }
  }

  private boolean begin(Connection connection, MariaIncarnation last, MariaIncarnation next)
      throws SQLException {
    try (PreparedStatement update =
        prepare(
            connection,
            NEXT_INCARNATION,
            next,
            Map.of("lastlife", last.data(), "last", last.server()))) {
      if (update.executeUpdate() == 0) {
        return false;
      }
    }
    if (!next.data().equals(last.data())) {
      LOG.warn(
          "{} is another server than before, or may have lost grants in a restart (now {}, before that {}): no lock is granted until the restart guard ends",
          database.describe(),
          next.data(),
          last.data());
    }
    return true;
  }

  /**
   * Costs no write if there are none. Their holders, whom the guard covers, would go on renewing.
   */
  private void endSessionsOfOthers(Connection connection, MariaIncarnation now)
      throws SQLException {
    try (PreparedStatement any = prepare(connection, ARE_OTHERS, now, Map.of());
        ResultSet rows = any.executeQuery()) {
      if (!rows.next()) {
        return;
      }
    }
    try (PreparedStatement delete = prepare(connection, END_OTHERS, now, Map.of())) {
      delete.executeUpdate();
    }
  }

  /** Prepares a statement that fails at any other server than that of an incarnation. */
  private PreparedStatement prepare(
      Connection connection, String text, MariaIncarnation now, Map<String, String> values)
      throws SQLException {
    NamedSql sql = database.compiled(text);
    PreparedStatement statement = connection.prepareStatement(database.unprepared() + sql.jdbc());
    Map<String, String> all = new HashMap<>(values);
    all.put("dataincarnation", now.data());
    all.put("incarnation", now.server());
    int index = 1;
    for (String parameter : sql.parameters()) {
      statement.setString(index++, all.get(parameter));
    }
    return statement;
  }
}
