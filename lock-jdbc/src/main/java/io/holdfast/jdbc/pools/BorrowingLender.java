package io.holdfast.jdbc.pools;

import io.holdfast.jdbc.connections.BackendThreads;
import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.spi.Deadline;

/** Borrows a connection of an application for each call, and gives it back as it came. */
final class BorrowingLender implements Lender {

  private final Database database;
  private final BackendThreads threads;
  private final LendingLimit lending;

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
    this.lending = new LendingLimit(database.describe(), limit);
  }

  @Override
  public Loan lend(Deadline deadline) {
    lending.acquire(deadline);
    try {
      return new Borrowed(threads.reopen(database, deadline));
    } catch (RuntimeException | Error e) {
      lending.release();
      throw e;
    }
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
