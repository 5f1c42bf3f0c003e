package io.holdfast.jdbc;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A small fixed number of connections, opened when they are first needed and kept. One that failed
 * or does not lead to the database any more is closed and replaced.
 */
final class Connections implements AutoCloseable {

  private final Database database;
  private final Semaphore permits;
  private final Deque<Link> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  /** What a verb does with a connection. */
  @FunctionalInterface
  interface Work<T> {
    T on(Link link) throws SQLException;
  }

  Connections(Database database, int most) {
    this.database = database;
    this.permits = new Semaphore(most, true);
  }

  /**
   * Does the work with a connection that nobody else uses meanwhile.
   *
   * @throws BackendFailure if none is to be had by the deadline, or the work fails so
   */
  <T> T call(Deadline deadline, Work<T> work) {
    acquire(deadline);
    try {
      Link link = take(deadline);
      link.begin(deadline);
      T result;
      try {
        result = work.on(link);
      } catch (SQLException e) {
        throw failed(link, e);
      } catch (RuntimeException | Error e) {
        giveBack(link);
        throw e;
      }
      giveBack(link);
      return result;
    } finally {
      permits.release();
    }
  }

  private RuntimeException failed(Link link, SQLException e) {
    boolean stale = database.isStale(link.origin());
    link.close();
    // Whatever else was wrong: the next call will find the database that is there now.
    return stale
        ? new BackendFailure(
            Effect.UNKNOWN,
            database.describe() + " was replaced or started again while a call was under way.",
            e)
        : database.failure(e, link.hasChanged() ? Effect.UNKNOWN : Effect.NONE);
  }

  private void acquire(Deadline deadline) {
    // Without waiting first: who was interrupted must still be able to release.
    if (permits.tryAcquire()) {
      return;
    }
    try {
      if (!permits.tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
        throw new BackendFailure(
            Effect.NONE,
            "All connections to %s were busy until the time for the call was over."
                .formatted(database.describe()),
            null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendFailure(
          Effect.NONE,
          "Interrupted while waiting for a connection to %s.".formatted(database.describe()),
          e);
    }
  }

  private Link take(Deadline deadline) {
    if (closed) {
      throw new BackendFailure(
          Effect.NONE, "The backend for %s is closed.".formatted(database.describe()), null);
    }
    @Nullable Link link = idle.pollFirst();
    while (link != null) {
      if (!database.isStale(link.origin())) {
        return link;
      }
      link.close();
      link = idle.pollFirst();
    }
    return database.open(deadline);
  }

  private void giveBack(Link link) {
    idle.addFirst(link);
    if (closed) {
      closeIdle();
    }
  }

  private void closeIdle() {
    for (Link link = idle.pollFirst(); link != null; link = idle.pollFirst()) {
      link.close();
    }
  }

  /** Closes what is idle now, and what is in use as soon as it is given back. */
  @Override
  public void close() {
    closed = true;
    closeIdle();
  }
}
