package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.jdbc.database.ChangeSource;
import io.holdfast.jdbc.database.Exclusion;
import io.holdfast.jdbc.database.QueueTextDatabase;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.database.ServerDatabase;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.database.TableSchema;
import io.holdfast.jdbc.database.Tables;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;

/** One database of a MariaDB or MySQL server. */
public final class MariaDatabase extends ServerDatabase implements QueueTextDatabase {

  /**
   * The variable that says that transactions only read, as MySQL calls it, and as MariaDB does,
   * which reads the former as a comment. The driver knows only what it was told itself.
   */
  private static final String ONLY_READS =
      "/*!80000 transaction_read_only */ /*M!100600 tx_read_only */";

  /** After how long a statement is ended: of MySQL in milliseconds, of MariaDB in seconds. */
  private static final String TIME_LIMIT =
      "/*!80000 max_execution_time */ /*M!100600 max_statement_time */";

  /** The statements that set a connection back, and the database in which it has been left. */
  private static final String PREVIOUS =
      """
      SELECT concat('SET SESSION time_zone = ''', @@time_zone, ''', sql_mode = ''', @@sql_mode,
        ''', innodb_lock_wait_timeout = ', @@innodb_lock_wait_timeout,
        ', lock_wait_timeout = ', @@lock_wait_timeout, ', wait_timeout = ', @@wait_timeout,
        ', sql_safe_updates = ', @@sql_safe_updates,
        ', sql_select_limit = ', @@sql_select_limit,
        ', {time limit} = ',
        /*!80000 @@max_execution_time */ /*M!100600 @@max_statement_time */,
        ', SESSION {only reads} = ',
        /*!80000 @@transaction_read_only */ /*M!100600 @@tx_read_only */) AS restores,
        coalesce(DATABASE(), '') AS tables_in"""
          .replace("{time limit}", TIME_LIMIT)
          .replace("{only reads}", ONLY_READS);

  /**
   * Set in every case, for the server or an earlier use of the connection may have set them
   * otherwise. A statement whose client has given up waiting ends within ten seconds too, also if
   * another client keeps its row or its table locked. No answer is cut short: a session that is
   * missing in one is over. The limit has no default that could be named, since that is the
   * server's.
   */
  private static final String SETTINGS =
      """
      SET SESSION time_zone = '+00:00',
        sql_mode = 'STRICT_ALL_TABLES,PIPES_AS_CONCAT,NO_ENGINE_SUBSTITUTION',
        innodb_lock_wait_timeout = 10, lock_wait_timeout = 10, wait_timeout = 28800,
        sql_safe_updates = 0, sql_select_limit = {all}, {time limit} = 0, SESSION {only reads} = 0"""
          .replace("{all}", MariaDialect.ALL_ROWS)
          .replace("{time limit}", TIME_LIMIT)
          .replace("{only reads}", ONLY_READS);

  private final MariaDialect dialect = new MariaDialect();
  private final MariaTables tables;
  private final TableSchema schema;

  public MariaDatabase(
      String name, ServerSettings settings, ConnectionSource source, DeadlineTimer timer) {
    super(name, settings, source, timer);
    this.tables = new MariaTables(this, new Tables(this, settings.prefix()));
    this.schema = new TableSchema(name, settings.prefix());
  }

  @Override
  public boolean mayLoseGrants() {
    return true;
  }

  /** To MariaDB's driver; to others it is a comment. */
  @Override
  public String unprepared() {
    return "/*client prepare*/";
  }

  @Override
  public QueueTextDialect dialect() {
    return dialect;
  }

  @Override
  public Optional<ChangeSource> changes() {
    return Optional.of(new MariaChanges());
  }

  @Override
  public boolean isHarmless(SQLException e) {
    return MariaErrors.isHarmless(e);
  }

  @Override
  protected boolean isBroken(SQLException e) {
    return MariaErrors.isBroken(e);
  }

  @Override
  protected boolean isReadOnly(SQLException e) {
    return MariaErrors.isReadOnly(e);
  }

  @Override
  protected RuntimeException failure(SQLException e, Effect before, Effect broken) {
    return MariaErrors.failure(describe(), e, before, broken);
  }

  @Override
  public Set<String> tablesThere(DatabaseConnection connection) throws SQLException {
    return tables.there(connection.jdbc());
  }

  @Override
  public Exclusion exclusion() {
    return Exclusion.tableLocks();
  }

  /**
   * Calls are ended from outside, but MariaDB's driver does that by asking the server to, and where
   * the server does not answer, it hangs.
   */
  @Override
  public void limit(Connection connection, Deadline deadline) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, Math.max(1, deadline.remainingMillis()));
  }

  @Override
  protected Server prepare(RestorableConnection taken, TableCheck there) throws SQLException {
    Connection connection = taken.jdbc();
    try (Statement statement = connection.createStatement()) {
      if (!taken.isOurs()) {
        takeFromApplication(taken, statement);
      }
      statement.execute(SETTINGS);
    }
    if (there == TableCheck.MAKE_OR_CHECK) {
      tables.require(connection);
    }
    MariaState state = MariaState.read(connection, describe());
    MariaIncarnation incarnation =
        there == TableCheck.FORMER
            ? tables.prepareFormer(connection, state)
            : tables.recordIncarnation(connection, state);
    return new Server(incarnation.server(), incarnation.data());
  }

  /** Only these may have been left in another database than the others. */
  private void takeFromApplication(RestorableConnection taken, Statement statement)
      throws SQLException {
    Connection connection = taken.jdbc();
    int timeout = connection.getNetworkTimeout();
    taken.restoreWith(() -> connection.setNetworkTimeout(Runnable::run, timeout));
    try (ResultSet row = statement.executeQuery(PREVIOUS)) {
      row.next();
      taken.restoreWith(row.getString("restores"));
      taken.restoreWith("SET %s = NULL".formatted(MariaState.STARTED));
      schema.require(row.getString("tables_in"));
    }
  }
}
