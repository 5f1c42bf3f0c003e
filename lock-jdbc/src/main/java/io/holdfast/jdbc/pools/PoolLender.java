package io.holdfast.jdbc.pools;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.pool.HikariPool;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.connections.BackendThreads;
import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lends the connections of a HikariCP pool. */
final class PoolLender implements Lender {

  private static final Logger LOG = LoggerFactory.getLogger(PoolLender.class);

  /** How long a call waits for a connection before it asks whether connecting fails at present. */
  private static final Duration TOLD_AFTER = Duration.ofMillis(250);

  private final Database database;
  private final ConnectionOpener opener;
  private final int leastIdle;
  private final HikariPool pool;
  private final LendingLimit lending;

  private final class Pooled implements Loan {
    private final DatabaseConnection connection;
    private final Connection handle;

    Pooled(Connection handle) throws SQLException {
      this.handle = handle;
      this.connection = handle.unwrap(DatabaseConnection.class);
    }

    @Override
    public DatabaseConnection connection() {
      return connection;
    }

    @Override
    public void giveBack() {
      try {
        handle.close();
      } catch (SQLException e) {
        LOG.debug("A connection could not be given back", e);
      } finally {
        lending.release();
      }
    }

    @Override
    public void discard() {
      try {
        connection.markUnusable();
        pool.evictConnection(handle);
      } finally {
        lending.release();
      }
    }
  }

  /**
   * Starts a pool.
   *
   * @param config all but where the connections come from
   */
  PoolLender(
      Database database, BackendThreads threads, ConnectionOpener opener, HikariConfig config) {
    this.database = database;
    this.opener = opener;
    this.lending = new LendingLimit(database.describe(), config.getMaximumPoolSize());
    config.setDataSource(new PoolSource(opener, threads, this::isShort));
    config.validate();
    this.leastIdle = config.getMinimumIdle();
    this.pool = new HikariPool(config);
  }

  private boolean isShort() {
    return pool.getIdleConnections() < leastIdle || pool.getThreadsAwaitingConnection() > 0;
  }

  @Override
  public boolean isReady() {
    return lending.isLeft() && pool.getIdleConnections() > 0;
  }

  @Override
  public boolean isBusy() {
    return !lending.isLeft();
  }

  @Override
  public Loan lend(Deadline deadline) {
    lending.acquire(deadline);
    try {
      return new Pooled(take(deadline));
    } catch (SQLException e) {
      lending.release();
      throw failure(e);
    } catch (RuntimeException | Error e) {
      lending.release();
      throw e;
    }
  }

  private Connection take(Deadline deadline) throws SQLException {
    int millis = Math.max(1, deadline.remainingMillis());
    int first = (int) Math.min(millis, TOLD_AFTER.toMillis());
    try {
      return pool.getConnection(first);
    } catch (SQLException e) {
      if (first == millis
          || opener.failure().isPresent()
          || lending.isClosed()
          || isInterrupted(e)) {
        throw e;
      }
    }
    return pool.getConnection(Math.max(1, deadline.remainingMillis()));
  }

  private static boolean isInterrupted(SQLException e) {
    return e.getCause() instanceof InterruptedException;
  }

  private RuntimeException failure(SQLException e) {
    if (isInterrupted(e)) {
      return none(
          "Interrupted while waiting for a connection to %s.".formatted(database.describe()), e);
    }
    return opener
        .failure()
        .map(PoolLender::again)
        .orElseGet(
            () ->
                none(
                    "Timed out waiting for a connection to %s.".formatted(database.describe()), e));
  }

  /** Throwing the same exception in several threads would mix up their stack traces. */
  private static RuntimeException again(RuntimeException failure) {
    String message = String.valueOf(failure.getMessage());
    return failure instanceof BackendUnusableException
        ? new BackendUnusableException(message, failure)
        : none(message, failure);
  }

  private static BackendFailure none(String message, Exception cause) {
    return new BackendFailure(Effect.NONE, message, cause);
  }

  @Override
  public void close() {
    lending.close();
    opener.close();
    boolean interrupted = false;
    while (true) {
      try {
        pool.shutdown();
        break;
      } catch (InterruptedException e) { // Left halfway, its threads would stay.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
