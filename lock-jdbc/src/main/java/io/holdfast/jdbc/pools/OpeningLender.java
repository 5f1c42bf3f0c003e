package io.holdfast.jdbc.pools;

import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.spi.Deadline;
import java.util.function.Consumer;

/** Opens a connection for each loan, on the calling thread: for a login that ends by itself. */
final class OpeningLender implements Lender {

  private final Database database;
  private final Consumer<DatabaseConnection> back;

  /** One that was opened for a loan. */
  private record Opened(DatabaseConnection connection, Consumer<DatabaseConnection> back)
      implements Loan {

    @Override
    public void giveBack() {
      back.accept(connection);
    }

    @Override
    public void discard() {
      connection.discard();
    }
  }

  /**
   * Opens connections.
   *
   * @param back gives one back, within a bounded time
   */
  OpeningLender(Database database, Consumer<DatabaseConnection> back) {
    this.database = database;
    this.back = back;
  }

  @Override
  public Loan lend(Deadline deadline) {
    return new Opened(database.open(deadline), back);
  }

  /** Nothing is kept. */
  @Override
  public boolean isReady() {
    return false;
  }

  /** There may be any number. */
  @Override
  public boolean isBusy() {
    return false;
  }

  @Override
  public void close() {}
}
