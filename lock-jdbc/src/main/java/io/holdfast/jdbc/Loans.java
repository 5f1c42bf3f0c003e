package io.holdfast.jdbc;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Permits;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many connections are lent, and whether more may be. */
final class Loans implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Loans.class);

  /** How long calls under way are waited for when everything is closed. */
  private static final Duration LAST_CALLS_MAX = Duration.ofSeconds(2);

  private final String database;
  private final int most;
  private final Permits permits;
  private volatile boolean closed;

  Loans(String database, int most) {
    this.database = database;
    this.most = most;
    this.permits = new Permits(most, database);
  }

  /**
   * Counts one more.
   *
   * @throws BackendFailure if there are as many as may be until the deadline, or this is closed
   */
  void begin(Deadline deadline) {
    requireOpen();
    permits.acquire(deadline);
    if (closed) {
      permits.release();
    }
    requireOpen();
  }

  private void requireOpen() {
    if (closed) {
      throw new BackendFailure(
          Effect.NONE, "The backend for %s is closed.".formatted(database), null);
    }
  }

  /** Counts one less. */
  void end() {
    permits.release();
  }

  /** Returns whether there may be one more. */
  boolean areLeft() {
    return permits.areLeft();
  }

  /** Returns whether there may be none any more. */
  boolean areOver() {
    return closed;
  }

  /** Begins no more, and waits a moment for those under way. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    Deadline deadline = Deadline.in(LAST_CALLS_MAX);
    try {
      for (int i = 0; i < most; i++) {
        permits.acquire(deadline);
      }
    } catch (BackendFailure e) {
      LOG.debug("Calls to {} are still under way", database, e);
    }
  }
}
