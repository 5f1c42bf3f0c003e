package io.holdfast.jdbc.pools;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.support.Permits;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limits how many connections are lent at the same time. */
final class LendingLimit implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LendingLimit.class);

  /** How long calls under way are waited for when everything is closed. */
  private static final Duration LAST_CALLS_MAX = Duration.ofSeconds(2);

  private final String database;
  private final int limit;
  private final Permits permits;
  private volatile boolean closed;

  LendingLimit(String database, int limit) {
    this.database = database;
    this.limit = limit;
    this.permits = new Permits(limit, database);
  }

  /**
   * Counts one more.
   *
   * @throws BackendFailure if the limit is reached until the deadline, or this is closed
   */
  void acquire(Deadline deadline) {
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
  void release() {
    permits.release();
  }

  /** Returns whether one more may be lent. */
  boolean isLeft() {
    return permits.areLeft();
  }

  /** Returns whether lending has ended. */
  boolean isClosed() {
    return closed;
  }

  /** Lends no more, and waits a moment for the calls under way. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    Deadline deadline = Deadline.in(LAST_CALLS_MAX);
    try {
      for (int i = 0; i < limit; i++) {
        permits.acquire(deadline);
      }
    } catch (BackendFailure e) {
      LOG.debug("Calls to {} are still under way", database, e);
    }
  }
}
