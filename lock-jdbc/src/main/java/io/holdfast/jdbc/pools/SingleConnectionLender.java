package io.holdfast.jdbc.pools;

import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.spi.Deadline;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The one connection that there is for a purpose, opened when it is first needed and kept: enough
 * for a lock file, which has one writer at a time.
 */
final class SingleConnectionLender implements Lender {

  private final Database database;
  private final LendingLimit lending;
  private final AtomicReference<@Nullable DatabaseConnection> idle = new AtomicReference<>();

  private final class Kept implements Loan {
    private final DatabaseConnection connection;

    Kept(DatabaseConnection connection) {
      this.connection = connection;
    }

    @Override
    public DatabaseConnection connection() {
      return connection;
    }

    @Override
    public void giveBack() {
      idle.set(connection);
      if (lending.isClosed()) {
        closeIdle();
      }
      lending.release();
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

  SingleConnectionLender(Database database) {
    this.database = database;
    this.lending = new LendingLimit(database.describe(), 1);
  }

  @Override
  public boolean isReady() {
    return lending.isLeft() && idle.get() != null;
  }

  @Override
  public boolean isBusy() {
    return !lending.isLeft();
  }

  @Override
  public Loan lend(Deadline deadline) {
    lending.acquire(deadline);
    try {
      DatabaseConnection connection = idle.getAndSet(null);
      return new Kept(connection == null ? database.open(deadline) : connection);
    } catch (RuntimeException | Error e) {
      lending.release();
      throw e;
    }
  }

  private void closeIdle() {
    DatabaseConnection connection = idle.getAndSet(null);
    if (connection != null) {
      connection.giveBack();
    }
  }

  @Override
  public void close() {
    lending.close();
    closeIdle();
  }
}
