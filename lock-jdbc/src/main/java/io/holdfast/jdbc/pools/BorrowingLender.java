package io.holdfast.jdbc.pools;

import io.holdfast.jdbc.connections.BackendThreads;
import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.connections.Login;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Borrows a connection of an application for each call, and gives it back as it came. One that was
 * asked for counts as lent until it has come and gone, also if the call that asked has given up
 * long before. So no more are asked for than may be lent, however slow the application's pool.
 */
final class BorrowingLender implements Lender {

  private final Database database;
  private final BackendThreads threads;
  private final int limit;
  private final LendingLimit lending;

  /** How many are asked for by calls that have given up. */
  private final AtomicInteger abandoned = new AtomicInteger();

  private final class Borrowed implements Loan {
    private final DatabaseConnection connection;

    Borrowed(DatabaseConnection connection) {
      this.connection = connection;
    }

    @Override
    public DatabaseConnection connection() {
      return connection;
    }

    @Override
    public void giveBack() {
      try {
        threads.giveBack(connection);
      } finally {
        lending.release();
      }
    }

    @Override
    public void discard() {
      try {
        connection.discard();
      } finally {
        lending.release();
      }
    }
  }

  /**
   * Borrows from an application.
   *
   * @param limit how many connections at once
   */
  BorrowingLender(Database database, BackendThreads threads, int limit) {
    this.database = database;
    this.threads = threads;
    this.limit = limit;
    this.lending = new LendingLimit(database.describe(), limit);
  }

  @Override
  public Loan lend(Deadline deadline) {
    acquire(deadline);
    Login login;
    try {
      login = threads.begin(database, deadline);
    } catch (RuntimeException | Error e) {
      lending.release();
      throw e;
    }
    try {
      return new Borrowed(login.await(deadline));
    } catch (RuntimeException | Error e) {
      abandon(login);
      throw e;
    }
  }

  private void acquire(Deadline deadline) {
    try {
      lending.acquire(deadline);
    } catch (BackendFailure e) {
      int hanging = abandoned.get();
      throw hanging == 0 ? e : exhausted(hanging, e);
    }
  }

  private BackendFailure exhausted(int hanging, BackendFailure failure) {
    return new BackendFailure(
        failure.effect(),
        "The application's DataSource has not given %s of the %s connections to %s that were asked for, and so many are asked for at most. Its pool may be exhausted: make it larger, or have it refuse sooner."
            .formatted(hanging, limit, database.describe()),
        failure);
  }

  private void abandon(Login login) {
    abandoned.incrementAndGet();
    login.abandon(
        () -> {
          abandoned.decrementAndGet();
          lending.release();
        });
  }

  /** Nothing is kept. */
  @Override
  public boolean isReady() {
    return false;
  }

  @Override
  public boolean isBusy() {
    return !lending.isLeft();
  }

  @Override
  public void close() {
    lending.close();
  }
}
