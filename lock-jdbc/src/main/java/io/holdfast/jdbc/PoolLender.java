package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.pool.HikariPool;
import io.holdfast.BackendUnusableException;
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

  /** How soon whoever waits for a connection is told that none can be made just now. */
  private static final Duration TOLD_AFTER = Duration.ofMillis(250);

  private final Database database;
  private final Logins logins;
  private final int leastIdle;
  private final HikariPool pool;
  private final Loans loans;

  private final class Pooled implements Loan {
    private final Link link;
    private final Connection handle;

    Pooled(Connection handle) throws SQLException {
      this.handle = handle;
      this.link = handle.unwrap(Link.class);
    }

    @Override
    public Link link() {
      return link;
    }

    @Override
    public void giveBack() {
      try {
        handle.close();
      } catch (SQLException e) {
        LOG.debug("A connection could not be given back", e);
      } finally {
        loans.end();
      }
    }

    @Override
    public void discard() {
      link.condemn();
      pool.evictConnection(handle);
      loans.end();
    }
  }

  /**
   * Starts a pool.
   *
   * @param config all but where the connections come from
   */
  PoolLender(Database database, OwnThreads threads, Logins logins, HikariConfig config) {
    this.database = database;
    this.logins = logins;
    this.loans = new Loans(database.describe(), config.getMaximumPoolSize());
    config.setDataSource(new PoolSource(logins, threads, this::isShort));
    config.validate();
    this.leastIdle = config.getMinimumIdle();
    this.pool = new HikariPool(config);
  }

  private boolean isShort() {
    return pool.getIdleConnections() < leastIdle || pool.getThreadsAwaitingConnection() > 0;
  }

  @Override
  public boolean isReady() {
    return loans.areLeft() && pool.getIdleConnections() > 0;
  }

  @Override
  public boolean isBusy() {
    return !loans.areLeft();
  }

  @Override
  public Loan lend(Deadline deadline) {
    loans.begin(deadline);
    try {
      return new Pooled(take(deadline));
    } catch (SQLException e) {
      loans.end();
      throw failure(e);
    }
  }

  private Connection take(Deadline deadline) throws SQLException {
    int millis = Math.max(1, deadline.remainingMillis());
    int first = (int) Math.min(millis, TOLD_AFTER.toMillis());
    try {
      return pool.getConnection(first);
    } catch (SQLException e) {
      if (first == millis || logins.failure().isPresent() || loans.areOver() || isInterrupted(e)) {
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
    return logins
        .failure()
        .map(PoolLender::again)
        .orElseGet(
            () ->
                none(
                    "The time for the call was over before there was a connection to %s."
                        .formatted(database.describe()),
                    e));
  }

  /** Throwing one exception in several threads would mix up what they have to tell. */
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
    loans.close();
    logins.close();
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
