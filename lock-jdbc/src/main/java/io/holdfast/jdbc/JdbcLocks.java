package io.holdfast.jdbc;

import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.pools.BackendConnections;
import io.holdfast.spi.BackendFactory;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Locks in a database, with settings that a URI cannot have.
 *
 * <p>In the database of a {@link DataSource} that the application already has:
 *
 * <pre>{@code
 * LockClient client = Holdfast.builder().connect(JdbcLocks.on(dataSource));
 * }</pre>
 *
 * <p>Each client keeps two connections of the data source until the client is closed, for
 * heartbeats, for releases and for ending sessions. On PostgreSQL and MariaDB it keeps a third one
 * while a request waits for a lock. For every other call it borrows a connection and gives it back
 * after the call. So the data source must have at least {@value #CONNECTIONS} connections for each
 * client. The client takes connections on its own threads, so they never join a transaction of the
 * caller: a lock is taken and released at once, independent of the caller's transaction. Changed
 * properties of a connection (autocommit, isolation level, settings of the database) are restored
 * before the connection is closed. A connection that broke, or on which a call overran its
 * deadline, is aborted and closed; so a pool that is not told of that should validate the
 * connections that it lends. The client never closes the data source.
 *
 * <p>In a database that a URI names, over connections of HikariCP pools, which can report metrics:
 *
 * <pre>{@code
 * LockClient client =
 *     Holdfast.builder().connect(JdbcLocks.at("jdbc:postgresql://db/app").metricRegistry(registry));
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class JdbcLocks implements BackendFactory {

  /** The least number of connections that a client needs from a data source at the same time. */
  public static final int CONNECTIONS = BackendConnections.CONNECTIONS;

  private final Target target;
  private final JdbcUri settings;

  /** Where the database is. */
  @FunctionalInterface
  private interface Target {
    LockBackend connect(JdbcUri settings, BackendOptions options, Deadline deadline);
  }

  private JdbcLocks(Target target, JdbcUri settings) {
    this.target = target;
    this.settings = settings;
  }

  /** Returns locks in the database of a data source, in tables with the usual names. */
  public static JdbcLocks on(DataSource dataSource) {
    return new JdbcLocks(
        (settings, options, deadline) ->
            JdbcLockBackend.over(dataSource, UriKind.settings(settings), options, deadline),
        JdbcUri.of(""));
  }

  /**
   * Returns locks in the database that a URI names.
   *
   * @throws io.holdfast.error.BadRequestException if {@link JdbcLockProvider} does not accept the
   *     URI, or it has {@code maxWaiters}, which is a setting of the {@linkplain
   *     io.holdfast.ClientBuilder#maxWaiters client}
   */
  public static JdbcLocks at(String uri) {
    UriKind kind =
        UriKind.find(uri)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "The URI names no database that this adapter knows. Give one such as "
                            + UriKind.ALL.stream()
                                .map(UriKind::form)
                                .collect(Collectors.joining(" or "))));
    return new JdbcLocks(
        (settings, options, deadline) -> kind.connect(settings, settings.with(options), deadline),
        JdbcUri.of(UriKind.withJdbc(uri)));
  }

  /**
   * Returns a copy with another prefix for the names of the tables, instead of {@code holdfast_}.
   * The prefix may include a schema and a dot: {@code locking.holdfast_}. Clients with different
   * tables have different locks. If it includes none, a connection of a data source that leads to
   * another schema than the first one is refused. A lock file has no schemas, and H2 is told its
   * schema in its URI: their prefix includes none.
   *
   * @throws io.holdfast.error.BadRequestException if the prefix has characters other than
   *     lower-case letters, digits and underscores; from connecting, if it includes a schema where
   *     it may not
   */
  public JdbcLocks tablePrefix(String prefix) {
    return new JdbcLocks(target, settings.tablePrefix(prefix));
  }

  /**
   * Returns a copy with a maximum number of connections for calls other than heartbeats. The
   * default is 8.
   *
   * @throws io.holdfast.error.BadRequestException if the number is less than 1 or more than 1000
   */
  public JdbcLocks connections(int limit) {
    return new JdbcLocks(target, settings.pools(settings.pools().connections(limit)));
  }

  /**
   * Returns a copy whose pools report metrics: waiting times, connections in use and so on.
   *
   * @param registry a {@code MeterRegistry} of Micrometer or a {@code MetricRegistry} of
   *     Dropwizard, as HikariCP takes it
   */
  public JdbcLocks metricRegistry(Object registry) {
    return new JdbcLocks(target, settings.pools(settings.pools().metricRegistry(registry)));
  }

  @Override
  public LockBackend connect(BackendOptions options, Deadline deadline) {
    return target.connect(settings, options, deadline);
  }
}
