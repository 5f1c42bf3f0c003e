package io.holdfast.jdbc;

import io.holdfast.spi.Deadline;

/** Borrows a connection of an application for each call, and gives it back as it came. */
final class BorrowingLender implements Lender {

  private final Database database;
  private final OwnThreads threads;
  private final Loans loans;

  private final class Borrowed implements Loan {
    private final Link link;

    Borrowed(Link link) {
      this.link = link;
    }

    @Override
    public Link link() {
      return link;
    }

    @Override
    public void giveBack() {
      threads.letGo(link);
      loans.end();
    }

    @Override
    public void discard() {
      link.discard();
      loans.end();
    }
  }

  /**
   * Borrows from an application.
   *
   * @param most how many connections at once
   */
  BorrowingLender(Database database, OwnThreads threads, int most) {
    this.database = database;
    this.threads = threads;
    this.loans = new Loans(database.describe(), most);
  }

  @Override
  public Loan lend(Deadline deadline) {
    loans.begin(deadline);
    try {
      return new Borrowed(threads.reopen(database, deadline));
    } catch (RuntimeException | Error e) {
      loans.end();
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
    return !loans.areLeft();
  }

  @Override
  public void close() {
    loans.close();
  }
}
