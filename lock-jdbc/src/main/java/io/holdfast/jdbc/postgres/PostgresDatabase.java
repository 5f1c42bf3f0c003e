package io.holdfast.jdbc.postgres;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.Exclusion;
import io.holdfast.jdbc.database.HintSource;
import io.holdfast.jdbc.database.LockVerbs;
import io.holdfast.jdbc.database.QueueTextDatabase;
import io.holdfast.jdbc.database.ServerDatabase;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.database.TableSchema;
import io.holdfast.jdbc.database.Tables;
import io.holdfast.jdbc.pools.BackendConnections;
import io.holdfast.jdbc.postgres.locks.PostgresLocks;
import io.holdfast.spi.BackendFailure.Effect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** One PostgreSQL database, and in it the schema that is first in the user's search path. */
public final class PostgresDatabase extends ServerDatabase {

  /**
   * Changes each setting that is not as we need it, by server, user or an earlier use of the
   * connection; columns {@code name, setting}, the previous one. A statement whose client has given
   * up waiting ends within half a minute too, also if another client keeps its row locked. An idle
   * connection is kept. {@code synchronous_commit} is left as it is where it is stricter. Each is
   * asked for by its name, spelled as the server spells it, as {@code pg_settings} puts together
   * all that there are; one that the server does not know is NULL.
   */
  private static final String SETTINGS =
      """
      SELECT wanted.name, current_setting(wanted.name, true) AS setting,
             set_config(wanted.name, wanted.setting, false)
      FROM (VALUES ('default_transaction_read_only', 'off'),
                   ('statement_timeout', '30s'),
                   ('lock_timeout', '0'),
                   ('idle_session_timeout', '0'),
                   ('synchronous_commit', 'on'){ours}) wanted (name, setting)
      WHERE current_setting(wanted.name, true) <> wanted.setting
        AND (wanted.name <> 'synchronous_commit'
             OR current_setting(wanted.name) IN ('off', 'local', 'remote_write'))""";

  /**
   * A queue is empty most of the time. A plan made then would read the whole table from end to end,
   * and be kept until the next vacuum, however many wait by then. And the best plan is the same for
   * all values, while planning a look takes three times as long as executing it. Not for the
   * connections of an application: it would have to be set and set back with each call, for which
   * they are planned again anyway.
   */
  private static final String BY_INDEX =
      """
      ,
                   ('enable_seqscan', 'off'), ('jit', 'off'),
                   ('plan_cache_mode', 'force_generic_plan')""";

  /**
   * The incarnation of the data as {@link PostgresDialect} spells it, empty on a replica, which
   * cannot be asked for its timeline. The connections of an application keep the system identifier
   * for this statement only: they would have to be set back with each call.
   */
  private static final String STATE =
      """
      SELECT CAST({started} AS text) AS started,
             CASE WHEN pg_is_in_recovery() THEN ''
                  ELSE %s || '/' || set_config('%s', CAST(system_identifier AS text), {not ours})
             END AS data,
             {schema} AS tables_in
      FROM pg_control_system()"""
          .formatted(PostgresDialect.TIMELINE, PostgresDialect.KEPT_SYSTEM)
          .replace("{started}", PostgresDialect.STARTED);

  /** Where the tables are, maybe behind other schemas of the search path, or would be made. */
  private static final String SCHEMA =
      """
      coalesce((SELECT n.nspname
                FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
                WHERE c.oid = to_regclass('{namespace}')),
               current_schema(), '')""";

  private final PostgresDialect dialect = new PostgresDialect();
  private final PostgresTables tables;
  private final TableSchema schema;

  public PostgresDatabase(
      String name, ServerSettings settings, ConnectionSource source, DeadlineTimer timer) {
    super(name, settings, source, timer);
    this.tables = new PostgresTables(this, new Tables(this, settings.prefix()));
    this.schema = new TableSchema(name, settings.prefix());
  }

  @Override
  public boolean mayLoseGrants() {
    return true;
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public LockVerbs verbs(Options options, Function<QueueTextDatabase, LockVerbs> onTexts) {
    return new PostgresLocks(this, options);
  }

  @Override
  public boolean isDuplicateKey(SQLException e) {
    return PostgresErrors.isDuplicateKey(e);
  }

  @Override
  public boolean isHarmless(SQLException e) {
    return PostgresErrors.isHarmless(e);
  }

  @Override
  protected boolean isBroken(SQLException e) {
    return PostgresErrors.isBroken(e);
  }

  @Override
  protected boolean isReadOnly(SQLException e) {
    return PostgresErrors.isReadOnly(e);
  }

  @Override
  protected RuntimeException failure(SQLException e, Effect before, Effect broken) {
    return PostgresErrors.failure(describe(), e, before, broken);
  }

  @Override
  public Optional<HintSource> hints(BackendConnections connections) {
    return Optional.of(new PostgresHints(this, connections));
  }

  @Override
  public Set<String> tablesThere(DatabaseConnection connection) throws SQLException {
    return tables.there(connection.jdbc());
  }

  /**
   * A transaction that waits for a table lets others wait behind it, so it does not wait for long.
   */
  @Override
  public Exclusion exclusion() {
    return Exclusion.transaction(
        "BEGIN", "SET LOCAL lock_timeout = '2s'", "LOCK TABLE %s IN ACCESS EXCLUSIVE MODE");
  }

  @Override
  public boolean recordIncarnation(DatabaseConnection connection) throws SQLException {
    return tables.recordIncarnation(connection.jdbc());
  }

  @Override
  protected Server prepare(RestorableConnection taken, TableCheck there) throws SQLException {
    Connection connection = taken.jdbc();
    try (Statement statement = connection.createStatement()) {
      Server server = server(statement, taken.isOurs());
      try (ResultSet changed =
          statement.executeQuery(SETTINGS.replace("{ours}", taken.isOurs() ? BY_INDEX : ""))) {
        while (changed.next()) {
          taken.restoreWith(
              "SELECT set_config('%s', '%s', false)"
                  .formatted(changed.getString("name"), changed.getString("setting")));
        }
      }
      switch (there) {
        case MAKE_OR_CHECK -> tables.require(connection);
        case FORMER -> tables.prepareFormer(connection);
        case TRUST -> {}
      }
      return server;
    }
  }

  private Server server(Statement statement, boolean isOurs) throws SQLException {
    String state =
        STATE
            .replace("{not ours}", Boolean.toString(!isOurs))
            .replace("{schema}", schema.isNamed() ? "''" : render(SCHEMA));
    try (ResultSet row = statement.executeQuery(state)) {
      row.next();
      Server server = new Server(row.getString("started"), row.getString("data"));
      if (server.dataIncarnation().isEmpty()) {
        throw new BackendUnusableException(
            "%s is a replica, which cannot be written to. Name the primary; with several hosts in the URI add targetServerType=primary."
                .formatted(describe()));
      }
      schema.require(row.getString("tables_in"));
      return server;
    }
  }
}
