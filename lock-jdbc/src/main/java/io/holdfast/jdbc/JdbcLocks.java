package io.holdfast.jdbc;

import io.holdfast.spi.BackendFactory;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import javax.sql.DataSource;

/**
 * Locks in the database of a {@link DataSource} that the application already has:
 *
 * <pre>{@code
 * LockClient client = Holdfast.builder().connect(JdbcLocks.on(dataSource));
 * }</pre>
 *
 * <p>Each client takes {@value #CONNECTIONS} connections when it is made and keeps them until it is
 * closed: one for heartbeats, one for what makes locks free, the others for everything else. On
 * PostgreSQL it takes one more while anything waits for a lock, if there is one. They are taken on
 * a thread of its own, so that they belong to no transaction of a caller: locks are taken and given
 * back at once, whatever becomes of the transaction that goes on meanwhile. What is changed about a
 * connection (autocommit, isolation level, settings of the database) is set back before it is
 * closed. One that broke, or on which a call overran its deadline, is aborted, closed and replaced.
 *
 * <p>The data source is never closed. Immutable and thread-safe.
 */
public final class JdbcLocks implements BackendFactory {

  /** How many connections a client takes when it is made. */
  public static final int CONNECTIONS = Lanes.CONNECTIONS;

  private final DataSource dataSource;
  private final String tablePrefix;

  private JdbcLocks(DataSource dataSource, String tablePrefix) {
    this.dataSource = dataSource;
    this.tablePrefix = tablePrefix;
  }

  /** Returns locks in the database of a data source, in tables with the usual names. */
  public static JdbcLocks on(DataSource dataSource) {
    return new JdbcLocks(dataSource, TablePrefix.USUAL);
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
    return new JdbcLocks(dataSource, TablePrefix.of(prefix));
  }

  @Override
  public LockBackend connect(BackendOptions options, Deadline deadline) {
    ServerSettings settings = ServerSettings.standard().prefix(tablePrefix);
    return JdbcLockBackend.over(dataSource, settings, options, deadline);
  }
}
