package io.holdfast.jdbc;

import io.holdfast.BadRequestException;
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
 * <p>Each client keeps two of its connections until it is closed, for heartbeats and what makes
 * locks free, and on PostgreSQL a third one while anything waits for a lock. For every other call
 * it borrows one and gives it back after it, so that {@value #CONNECTIONS} are needed at least.
 * They are taken on a thread of its own, so that they belong to no transaction of a caller: locks
 * are taken and given back at once, whatever becomes of the transaction that goes on meanwhile.
 * What is changed about a connection (autocommit, isolation level, settings of the database) is set
 * back before it is closed. One that broke, or on which a call overran its deadline, is aborted and
 * closed. The data source is never closed.
 *
 * <p>In a database that a URI names, over connections of HikariCP pools, which can count what they
 * do:
 *
 * <pre>{@code
 * LockClient client =
 *     Holdfast.builder().connect(JdbcLocks.at("jdbc:postgresql://db/app").metricRegistry(registry));
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class JdbcLocks implements BackendFactory {

  /** How many connections of a data source a client needs at least at a time. */
  public static final int CONNECTIONS = Lanes.CONNECTIONS;

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
   * @throws io.holdfast.BadRequestException if it is none that {@link JdbcLockProvider} takes
   */
  public static JdbcLocks at(String uri) {
    UriKind kind =
        UriKind.find(uri)
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "The URI names no database that is known here. Give one such as "
                            + UriKind.ALL.stream()
                                .map(UriKind::form)
                                .collect(Collectors.joining(" or "))));
    return new JdbcLocks(
        (settings, options, deadline) -> kind.connect(settings, settings.with(options), deadline),
        JdbcUri.of(uri));
  }

  /**
   * Returns the same with tables whose names begin otherwise than with {@code holdfast_}. A schema
   * may stand before, with a dot: {@code locking.holdfast_}. Clients with other tables have other
   * locks.
   *
   * @throws io.holdfast.BadRequestException if it is anything but lower-case letters, digits and
   *     underscores
   */
  public JdbcLocks tablePrefix(String prefix) {
    return new JdbcLocks(target, settings.tablePrefix(prefix));
  }

  /**
   * Returns the same with so many connections at most for calls other than heartbeats, 8 unless
   * given.
   *
   * @throws io.holdfast.BadRequestException if it is less than 1 or more than 1000
   */
  public JdbcLocks connections(int most) {
    return new JdbcLocks(target, settings.pools(settings.pools().connections(most)));
  }

  /**
   * Returns the same with pools that count what they do: waiting times, connections in use and so
   * on.
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
