package io.holdfast.jdbc;

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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Connects for a pool. A pool makes one connection after the other, and waits ever longer after one
 * that failed: neither a login that nobody answers nor a server that was away for a while may hold
 * up heartbeats for so long. So a login that is not answered is begun anew beside the first, and
 * one that failed is repeated soon.
 */
final class Logins implements AutoCloseable {

  private static final Duration LOGIN_MAX = Duration.ofSeconds(10);
  private static final Duration ANSWER_EXPECTED_WITHIN = Duration.ofSeconds(1);
  private static final Duration LAST_LOGINS_MAX = Duration.ofSeconds(2);
  private static final Duration PAUSE_MIN = Duration.ofMillis(50);
  private static final Duration PAUSE_MAX = Duration.ofMillis(800);

  private final Database database;
  private final OwnThreads threads;
  private final int atOnce;
  private final Semaphore free;
  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
  private volatile @Nullable RuntimeException failure;
  private volatile boolean awaited;
  private volatile boolean closed;

  /** What became of a login: a connection, or nothing. */
  private record Arrival(Optional<Link> link) {}

  /**
   * Connects to a database.
   *
   * @param atOnce how many logins may be under way
   * @param made connections to begin with
   */
  Logins(Database database, OwnThreads threads, int atOnce, List<Link> made) {
    this.database = database;
    this.threads = threads;
    this.atOnce = atOnce;
    this.free = new Semaphore(atOnce);
    made.forEach(link -> arrivals.add(new Arrival(Optional.of(link))));
  }

  /** Returns why the last login has failed, unless one has succeeded since. */
  Optional<RuntimeException> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Returns a connection when there is one, however long that takes while it is needed. Called by
   * one thread at a time.
   *
   * @throws SQLException if it is not needed any more, or this is closed
   */
  Link next(BooleanSupplier needed) throws SQLException {
    awaited = true;
    try {
      Duration pause = PAUSE_MIN;
      while (!closed) {
        beginOne();
        @Nullable Arrival arrival = await(ANSWER_EXPECTED_WITHIN);
        while (arrival != null && arrival.link().isEmpty() && !closed) {
          arrival = await(pause);
          if (arrival == null && !needed.getAsBoolean()) {
            throw new SQLTransientConnectionException("Nobody needs it any more.");
          }
          pause = pause.compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : pause;
        }
        if (arrival != null && arrival.link().isPresent()) {
          return arrival.link().get();
        }
      }
    } finally {
      awaited = false;
    }
    throw new SQLNonTransientConnectionException("No connections are made any more.");
  }

  private @Nullable Arrival await(Duration time) throws SQLException {
    try {
      return arrivals.poll(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLNonTransientConnectionException("Interrupted while connecting.", e);
    }
  }

  private void beginOne() {
    if (arrivals.isEmpty() && free.tryAcquire()) {
      threads.execute(this::logIn);
    }
  }

  private void logIn() {
    Optional<Link> link = Optional.empty();
    try {
      link = Optional.of(database.open(Deadline.in(LOGIN_MAX)));
      failure = null;
    } catch (RuntimeException e) {
      failure = e;
    } finally {
      arrive(link);
      free.release();
    }
  }

  private void arrive(Optional<Link> link) {
    if (awaited) {
      arrivals.add(new Arrival(link));
    } else {
      link.ifPresent(threads::letGo);
    }
    if (closed) {
      letGoOfAll();
    }
  }

  private void letGoOfAll() {
    for (Arrival left = arrivals.poll(); left != null; left = arrivals.poll()) {
      left.link().ifPresent(threads::letGo);
    }
    arrivals.add(new Arrival(Optional.empty())); // Wakes up whoever waits.
  }

  /** Begins no more, and waits a moment for those under way, to let go of what they bring. */
  @Override
  public void close() {
    closed = true;
    letGoOfAll();
    try {
      if (free.tryAcquire(atOnce, LAST_LOGINS_MAX.toNanos(), TimeUnit.NANOSECONDS)) {
        free.release(atOnce); // Closing again waits for nothing.
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
