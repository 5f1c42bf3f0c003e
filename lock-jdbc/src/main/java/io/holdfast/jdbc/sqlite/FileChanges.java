package io.holdfast.jdbc.sqlite;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.ChangeSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Sees that others have committed to a lock file. SQLite counts that in memory that all who use the
 * file share, so that asking reads no page and waits for no client; commits of this very connection
 * do not count, and there are none. When to ask, the system tells, which has seen the write.
 */
final class FileChanges implements ChangeSource.Watch {

  private static final String VERSION = "PRAGMA data_version";

  /** The system tells of a write a moment before the commit can be seen. */
  private static final Duration BRISK = Duration.ofMillis(1);

  /** Where the system tells of writes. Its news may get lost. */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

  /** Where it does not, or the file is busy: so long a hand-over waits at most. */
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  /** So many writes without a pause, and being told of each would cost more than asking. */
  private static final int BUSY = 20;

  /** Then it asks so often before it is told again. */
  private static final int ASKS_WHILE_BUSY = 50;

  /** One write is told several times. */
  private static final long LEAST_NANOS = 1_000_000;

  private final DatabaseConnection own;
  private final SqliteDatabase database;
  private final Optional<FileEvents> events;
  private long version;
  private int wokenInRow;
  private int asksLeft;

  private FileChanges(
      DatabaseConnection own, SqliteDatabase database, Optional<FileEvents> events) {
    this.own = own;
    this.database = database;
    this.events = events;
  }

  static FileChanges of(
      DatabaseConnection own, SqliteDatabase database, Optional<FileEvents> events) {
    return new FileChanges(own, database, events);
  }

  @Override
  public boolean hasChanged() throws SQLException {
    if (database.isStale(own.origin())) {
      throw new SQLException("The lock file is not there any more.");
    }
    long before = version;
    version = own.read(VERSION, Map.of(), row -> row.getLong(1)).get(0);
    return version != before;
  }

  @Override
  public Duration brisk() {
    return BRISK;
  }

  @Override
  public Duration longestPause() {
    return events.isPresent() && asksLeft == 0 ? LONGEST_PAUSE : POLL_INTERVAL;
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
