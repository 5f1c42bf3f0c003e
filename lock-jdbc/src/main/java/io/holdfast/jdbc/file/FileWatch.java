package io.holdfast.jdbc.file;

import io.holdfast.jdbc.database.ChangeSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Sees that others have committed to a database in a file. When to ask the database, the system
 * tells, which has seen the write.
 */
public final class FileWatch implements ChangeSource.Watch {

  /** The system tells of a write a moment before the commit can be seen. */
  private static final Duration BRISK = Duration.ofMillis(1);

  /** Where it does not, or the file is busy: so long a hand-over waits at most. */
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  /** So many writes without a pause, and being told of each would cost more than asking. */
  private static final int BUSY = 20;

  /** Then it asks so often before it is told again. */
  private static final int ASKS_WHILE_BUSY = 50;

  /** One write is told several times. */
  private static final long LEAST_NANOS = 1_000_000;

  private final Question question;
  private final Optional<FileEvents> events;
  private final Duration longestPause;
  private int wokenInRow;
  private int asksLeft;

  /** Asks the database whether anything may have changed since it was asked last. */
  @FunctionalInterface
  public interface Question {
    boolean hasChanged() throws SQLException;
  }

  /**
   * Makes one.
   *
   * @param events the system's news of writes, if it tells any
   * @param longestPause after which the database is asked all the same: news may get lost
   */
  public FileWatch(Question question, Optional<FileEvents> events, Duration longestPause) {
    this.question = question;
    this.events = events;
    this.longestPause = longestPause;
  }

  @Override
  public boolean hasChanged() throws SQLException {
    return question.hasChanged();
  }

  @Override
  public Duration brisk() {
    return BRISK;
  }

  @Override
  public Duration longestPause() {
    return events.isPresent() && asksLeft == 0 ? longestPause : POLL_INTERVAL;
  }

  @Override
  public boolean await(Duration atMost) throws InterruptedException, SQLException {
    long nanos = atMost.toNanos();
    if (events.isEmpty() || asksLeft > 0) {
      TimeUnit.NANOSECONDS.sleep(nanos);
      goOn();
      return false;
    }
    TimeUnit.NANOSECONDS.sleep(LEAST_NANOS);
    boolean woken = events.get().await(Math.max(0, nanos - LEAST_NANOS));
    wokenInRow = woken ? wokenInRow + 1 : 0;
    if (wokenInRow == BUSY) {
      wokenInRow = 0;
      asksLeft = ASKS_WHILE_BUSY;
      events.get().pause();
    }
    return woken;
  }

  private void goOn() throws SQLException {
    if (asksLeft > 0 && --asksLeft == 0) {
      events.orElseThrow().goOn();
    }
  }

  @Override
  public void close() {
    events.ifPresent(FileEvents::close);
  }
}
