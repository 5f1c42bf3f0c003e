package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import io.holdfast.BadRequestException;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/** One PostgreSQL database, and in it the schema that is first in the user's search path. */
final class PostgresDatabase implements Database {

  /** What the URI of a database begins with. */
  static final String SCHEME = "jdbc:postgresql:";

  private static final double MILLIS_PER_SECOND = 1000;

  /**
   * Whatever the server's defaults are. A statement whose client has given up waiting ends within
   * half a minute too, also if somebody else keeps its row locked.
   */
  private static final String SETTINGS =
      """
      SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE;
      SET statement_timeout = '30s';
      SET lock_timeout = 0;
      SET idle_in_transaction_session_timeout = 0""";

  /**
   * The timeline from the name of the log: the control file shows the old one for a while after a
   * promotion. It cannot be asked for on a replica.
   */
  private static final String STATE =
      """
      SELECT CAST(extract(epoch FROM pg_postmaster_start_time()) AS text) AS started,
             CASE WHEN pg_is_in_recovery() THEN ''
                  ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline,
             current_setting('synchronous_commit') IN ('off', 'local', 'remote_write') AS lax""";

  private final String uri;
  private final String name;
  private final ServerSettings settings;
  private final PostgresDialect dialect = new PostgresDialect();
  private final PostgresTables tables;

  /** Counts the times that a connection broke: those made before are not trusted any more. */
  private final AtomicLong breaks = new AtomicLong();

  /** The server that a connection leads to: when it was started, and the life of its data. */
  private record Origin(String started, String timeline, long breaks) {}

  private PostgresDatabase(String uri, String name, ServerSettings settings) {
    this.uri = uri;
    this.name = name;
    this.settings = settings;
    this.tables = new PostgresTables(this, new Tables(this, settings.prefix()));
  }

  /**
   * Reads a URI.
   *
   * @throws BadRequestException if it is not well-formed
   */
  static PostgresDatabase of(String uri, ServerSettings settings) {
    @Nullable Properties parts = Driver.parseURL(uri, null);
    if (parts == null) {
      throw new BadRequestException(
          "The URI does not name a PostgreSQL database. Give one such as jdbc:postgresql://host:5432/database");
    }
    String host = parts.getProperty("PGHOST", "localhost");
    String port = parts.getProperty("PGPORT", "5432");
    String database = parts.getProperty("PGDBNAME", "");
    // Never the rest of the URI, in which there may be a password.
    return new PostgresDatabase(
        uri, "postgresql://%s:%s/%s".formatted(host, port, database), settings);
  }

  @Override
  public String describe() {
    return name;
  }

  @Override
  public Dialect dialect() {
    return dialect;
  }

  @Override
  public String render(String text) {
    return dialect.render(text, settings.prefix());
  }

  @Override
  public String incarnation(Link link) {
    return ((Origin) link.origin()).started();
  }

  @Override
  public String life(Link link) {
    return ((Origin) link.origin()).timeline();
  }

  @Override
  public boolean isStale(Object origin) {
    return ((Origin) origin).breaks() != breaks.get();
  }

  @Override
  public boolean isReplaced(Object origin) {
    return false;
  }

  @Override
  public void limit(Connection connection, Deadline deadline) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, Math.max(1, deadline.remainingMillis()));
  }

  @Override
  public RuntimeException failure(SQLException e, Effect before) {
    if (PostgresErrors.isBroken(e)) {
      breaks.incrementAndGet();
    }
    return PostgresErrors.failure(name, e, before, Effect.UNKNOWN);
  }

  @Override
  public void onStatement(String text) {
    settings.onStatement().accept(text);
  }

  @Override
  public Link open(Deadline deadline) {
    long now = breaks.get();
    try {
      Connection connection = connect(deadline);
      try {
        limit(connection, deadline);
        Origin origin = prepare(connection, now);
        tables.require(connection, origin.timeline());
        return new Link(connection, this, origin);
      } catch (SQLException | RuntimeException | Error e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw PostgresErrors.failure(name, e, Effect.NONE, Effect.NONE);
    }
  }

  private Connection connect(Deadline deadline) throws SQLException {
    Properties properties = new Properties();
    int millis = Math.max(1, deadline.remainingMillis());
    properties.setProperty("ApplicationName", "holdfast");
    properties.setProperty(
        "loginTimeout", String.format(Locale.ROOT, "%.3f", millis / MILLIS_PER_SECOND));
    // In whole seconds. The thread that logs in is left behind at the deadline, and ends by these.
    String seconds = Integer.toString((int) Math.ceil(millis / MILLIS_PER_SECOND));
    properties.setProperty("connectTimeout", seconds);
    properties.setProperty("socketTimeout", seconds);
    @Nullable Connection connection = new Driver().connect(uri, properties);
    if (connection == null) {
      throw new BadRequestException("PostgreSQL's driver does not take the URI of " + name + ".");
    }
    return connection;
  }

  private Origin prepare(Connection connection, long breaksBefore) throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute(SETTINGS);
      boolean lax;
      Origin origin;
      try (ResultSet row = statement.executeQuery(STATE)) {
        row.next();
        origin = new Origin(row.getString("started"), row.getString("timeline"), breaksBefore);
        lax = row.getBoolean("lax");
      }
      if (origin.timeline().isEmpty()) {
        throw new BackendUnusableException(
            "%s is a replica, which cannot be written to. Name the primary; with several hosts in the URI add targetServerType=primary."
                .formatted(name));
      }
      if (lax) {
        // Left as it is where it is stricter.
        statement.execute("SET synchronous_commit = on");
      }
      return origin;
    }
  }
}
