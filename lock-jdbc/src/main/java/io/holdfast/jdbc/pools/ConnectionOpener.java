package io.holdfast.jdbc.pools;

import io.holdfast.jdbc.connections.BackendThreads;
import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.spi.Deadline;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections for a pool. A pool opens one connection after the other, and waits longer after
 * each failure. Neither an unanswered login nor a server that was away for a while may delay
 * heartbeats for so long. So a second login starts beside one that is not answered, and a failed
 * login is repeated soon.
 */
final class ConnectionOpener implements AutoCloseable {

  private static final Duration LOGIN_MAX = Duration.ofSeconds(10);
  private static final Duration ANSWER_EXPECTED_WITHIN = Duration.ofSeconds(1);
  private static final Duration LAST_LOGINS_MAX = Duration.ofSeconds(2);
  private static final Duration PAUSE_MIN = Duration.ofMillis(50);
  private static final Duration PAUSE_MAX = Duration.ofMillis(800);

  private final Database database;
  private final BackendThreads threads;
  private final int atOnce;
  private final Semaphore free;
  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();

  /** How often a connection was asked for: what failed for an earlier time says nothing now. */
  private final AtomicInteger asked = new AtomicInteger();

  private volatile @Nullable RuntimeException failure;
  private volatile boolean awaited;
  private volatile boolean closed;

  /** The result of a login: a connection, or nothing. */
  private record Arrival(Optional<DatabaseConnection> connection) {}

  /**
   * Connects to a database.
   *
   * @param atOnce how many logins may be under way
   * @param made connections to begin with
   */
  ConnectionOpener(
      Database database, BackendThreads threads, int atOnce, List<DatabaseConnection> made) {
    this.database = database;
    this.threads = threads;
    this.atOnce = atOnce;
    this.free = new Semaphore(atOnce);
    made.forEach(connection -> arrivals.add(new Arrival(Optional.of(connection))));
  }

  /**
   * Returns why the last login has failed, unless one has succeeded or {@link #next} was called
   * since.
   */
  Optional<RuntimeException> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Returns a connection when there is one, however long that takes while it is needed. Called by
   * one thread at a time.
   *
   * @throws SQLException if it is not needed any more, or this is closed
   */
  DatabaseConnection next(BooleanSupplier needed) throws SQLException {
    int time = asked.incrementAndGet();
    failure = null;
    awaited = true;
    try {
      Duration pause = PAUSE_MIN;
      while (!closed) {
        beginOne(time);
        @Nullable Arrival arrival = await(ANSWER_EXPECTED_WITHIN);
        while (arrival != null && arrival.connection().isEmpty() && !closed) {
          arrival = await(pause);
          if (arrival == null && !needed.getAsBoolean()) {
            throw new SQLTransientConnectionException("The pool no longer needs the connection.");
          }
          pause = pause.compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : pause;
        }
        if (arrival != null && arrival.connection().isPresent()) {
          return arrival.connection().get();
        }
      }
    } finally {
      awaited = false;
    }
    throw new SQLNonTransientConnectionException(
        "The pool is closed: it opens no more connections.");
  }

  private @Nullable Arrival await(Duration time) throws SQLException {
    try {
      return arrivals.poll(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLNonTransientConnectionException("Interrupted while connecting.", e);
    }
  }

  private void beginOne(int time) {
    if (arrivals.isEmpty() && free.tryAcquire()) {
      try {
        threads.execute(() -> logIn(time));
      } catch (RuntimeException | Error e) {
        free.release(); // The machine has no thread for it: the next may get one.
        throw e;
      }
    }
  }

  private void logIn(int time) {
    Optional<DatabaseConnection> connection = Optional.empty();
    try {
      connection = Optional.of(database.open(Deadline.in(LOGIN_MAX)));
      failure = null;
    } catch (RuntimeException e) {
      if (time == asked.get()) {
        failure = e;
      }
    } finally {
      arrive(connection);
      free.release();
    }
  }

  private void arrive(Optional<DatabaseConnection> connection) {
    if (awaited) {
      arrivals.add(new Arrival(connection));
    } else {
      connection.ifPresent(threads::giveBack);
    }
    if (closed) {
      giveBackAll();
    }
  }

  private void giveBackAll() {
    for (Arrival left = arrivals.poll(); left != null; left = arrivals.poll()) {
      left.connection().ifPresent(threads::giveBack);
    }
    arrivals.add(new Arrival(Optional.empty())); // Wakes up the thread that waits.
  }

  /**
   * Starts no more logins, and waits a moment for those under way, to give their connections back.
   */
  @Override
  public void close() {
    closed = true;
    giveBackAll();
    try {
      if (free.tryAcquire(atOnce, LAST_LOGINS_MAX.toNanos(), TimeUnit.NANOSECONDS)) {
        free.release(atOnce); // Closing again waits for nothing.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
