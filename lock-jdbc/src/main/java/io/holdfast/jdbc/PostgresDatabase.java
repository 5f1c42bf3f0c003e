package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import io.holdfast.spi.BackendFailure.Effect;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** One PostgreSQL database, and in it the schema that is first in the user's search path. */
final class PostgresDatabase extends ServerDatabase {

  /**
   * Changes what is not as we need it, whatever it was set to for server, user or an earlier use of
   * the connection; columns {@code name, setting}, the previous one. A statement whose client has
   * given up waiting ends within half a minute too, also if somebody else keeps its row locked. An
   * idle connection is kept. {@code synchronous_commit} is left as it is where it is stricter.
   */
  private static final String SETTINGS =
      """
      SELECT s.name, s.setting, set_config(s.name, wanted.setting, false)
      FROM pg_catalog.pg_settings s
      JOIN (VALUES ('default_transaction_read_only', 'off'),
                   ('statement_timeout', '30000'),
                   ('lock_timeout', '0'),
                   ('idle_session_timeout', '0'),
                   ('synchronous_commit', 'on')) wanted (name, setting) ON wanted.name = s.name
      WHERE s.setting <> wanted.setting
        AND (s.name <> 'synchronous_commit' OR s.setting IN ('off', 'local', 'remote_write'))""";

  /**
   * The timeline from the name of the log: the control file shows the old one for a while after a
   * promotion. It cannot be asked for on a replica.
   */
  private static final String STATE =
      """
      SELECT CAST(extract(epoch FROM pg_postmaster_start_time()) AS text) AS started,
             CASE WHEN pg_is_in_recovery() THEN ''
                  ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline""";

  private final PostgresDialect dialect = new PostgresDialect();
  private final PostgresTables tables;

  PostgresDatabase(String name, ServerSettings settings, ConnectionSource source, Watch watch) {
    super(name, settings, source, watch);
    this.tables = new PostgresTables(this, new Tables(this, settings.prefix()));
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
  public boolean isHarmless(SQLException e) {
    return PostgresErrors.isHarmless(e);
  }

  @Override
  boolean isBroken(SQLException e) {
    return PostgresErrors.isBroken(e);
  }

  @Override
  RuntimeException failure(SQLException e, Effect before, Effect broken) {
    return PostgresErrors.failure(describe(), e, before, broken);
  }

  @Override
  public Optional<Push> push(Lanes lanes) {
    return Optional.of(new PostgresPush(this, lanes));
  }

  @Override
  public boolean enter(Link link) throws SQLException {
    return tables.endOtherLives(link.connection());
  }

  @Override
  Server prepare(Taken taken, TheTables there) throws SQLException {
    Connection connection = taken.connection();
    try (Statement statement = connection.createStatement()) {
      Server server = server(statement);
      try (ResultSet changed = statement.executeQuery(SETTINGS)) {
        while (changed.next()) {
          taken.undoneBy(
              "SELECT set_config('%s', '%s', false)"
                  .formatted(changed.getString("name"), changed.getString("setting")));
        }
      }
      if (there == TheTables.MAKE_OR_CHECK) {
        tables.require(connection);
      }
      return server;
    }
  }

  private Server server(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(STATE)) {
      row.next();
      Server server = new Server(row.getString("started"), row.getString("timeline"));
      if (server.life().isEmpty()) {
        throw new BackendUnusableException(
            "%s is a replica, which cannot be written to. Name the primary; with several hosts in the URI add targetServerType=primary."
                .formatted(describe()));
      }
      return server;
    }
  }
}
