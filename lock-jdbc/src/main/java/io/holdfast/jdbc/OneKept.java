package io.holdfast.jdbc;

import io.holdfast.spi.Deadline;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The one connection that there is for a purpose, opened when it is first needed and kept: enough
 * for a lock file, which has one writer at a time.
 */
final class OneKept implements Lender {

  private final Database database;
  private final Loans loans;
  private final AtomicReference<@Nullable Link> idle = new AtomicReference<>();

  private final class Kept implements Loan {
    private final Link link;

    Kept(Link link) {
      this.link = link;
    }

    @Override
    public Link link() {
      return link;
    }

    @Override
    public void giveBack() {
      idle.set(link);
      if (loans.areOver()) {
        closeIdle();
      }
      loans.end();
    }

    @Override
    public void discard() {
      link.discard();
      loans.end();
    }
  }

  OneKept(Database database) {
    this.database = database;
    this.loans = new Loans(database.describe(), 1);
  }

  @Override
  public boolean isReady() {
    return loans.areLeft() && idle.get() != null;
  }

  @Override
  public boolean isBusy() {
    return !loans.areLeft();
  }

  @Override
  public Loan lend(Deadline deadline) {
    loans.begin(deadline);
    try {
      Link link = idle.getAndSet(null);
      return new Kept(link == null ? database.open(deadline) : link);
    } catch (RuntimeException | Error e) {
      loans.end();
      throw e;
    }
  }

  private void closeIdle() {
    Link link = idle.getAndSet(null);
    if (link != null) {
      link.giveBack();
    }
  }

  @Override
  public void close() {
    loans.close();
    closeIdle();
  }
}
