package io.holdfast.jdbc.hints;

import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.ChangeSource;
import io.holdfast.jdbc.database.ChangeSource.Watch;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.pools.BackendConnections;
import io.holdfast.jdbc.pools.Loan;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that watches a database over a connection of its own, for all sessions of a client that
 * listen. It is never repaired: when it fails, all listeners are told that the hints have ended.
 */
final class Watcher implements AutoCloseable {

  static final String THREAD = "holdfast-watch";

  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

  /** While nothing wakes it, it asks more and more rarely. */
  private static final long MORE_RARELY = 4;

  /**
   * It rests for so many times as long as it has worked, so that others' changes cost it little.
   */
  private static final long REST = 10;

  private static final Logger LOG = LoggerFactory.getLogger(Watcher.class);

  private final LockDatabase database;
  private final BackendConnections connections;
  private final ChangeSource changes;
  private final Awaited awaited;
  private final Deadline connectBy;
  private final CompletableFuture<Boolean> ready = new CompletableFuture<>();

  // Nothing is inherited from the caller, whose transaction its connection must not belong to.
  private final Thread thread = new Thread(null, this::run, THREAD, 0, false);

  private Set<SessionId> heard = Set.of();
  private boolean woken;

  /** An interrupt ends its wait. While it reads or closes, some databases would break off. */
  private boolean mayBeInterrupted = true;

  private volatile @Nullable Watch watch;
  private volatile boolean over;

  Watcher(
      LockDatabase database,
      BackendConnections connections,
      ChangeSource changes,
      Awaited awaited,
      Deadline connectBy) {
    this.database = database;
    this.connections = connections;
    this.changes = changes;
    this.awaited = awaited;
    this.connectBy = connectBy;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  Awaited awaited() {
    return awaited;
  }

  /** Completed when it watches. */
  CompletableFuture<Boolean> ready() {
    return ready;
  }

  boolean isGone() {
    return !thread.isAlive();
  }

  boolean isOver() {
    return over;
  }

  private void run() {
    Exception reason = new SQLException("It was closed.");
    try {
      Loan lent = connections.beside(connectBy);
      isAtWork();
      DatabaseConnection own = lent.connection();
      try (Watch opened = changes.watch(own)) {
        watch = opened;
        watch(own, opened);
      } catch (InterruptedException | SQLException | RuntimeException | Error e) {
        lent.discard();
        throw e;
      }
      lent.giveBack();
    } catch (InterruptedException | SQLException | RuntimeException e) {
      reason = e;
    } finally {
      end(reason);
    }
  }

  private void watch(DatabaseConnection own, Watch opened)
      throws InterruptedException, SQLException {
    long briskNanos = opened.brisk().toNanos();
    long pauseNanos = briskNanos;
    while (!over) {
      long begunNanos = System.nanoTime();
      if (!ask(own, opened)) {
        pauseNanos = briskNanos;
      }
      long restNanos = REST * (System.nanoTime() - begunNanos);
      if (rests(opened, Duration.ofNanos(Math.max(pauseNanos, restNanos)))) {
        hasWoken();
        pauseNanos = briskNanos;
      } else {
        pauseNanos = Math.min(MORE_RARELY * pauseNanos, opened.longestPause().toNanos());
      }
    }
  }

  /** Waits until it is woken, and returns whether it was. */
  private boolean rests(Watch opened, Duration atMost) throws InterruptedException, SQLException {
    synchronized (this) {
      if (over) {
        return false;
      }
      mayBeInterrupted = true;
    }
    try {
      return opened.await(atMost);
    } finally {
      isAtWork();
    }
  }

  /** From now on no interrupt comes; one that came has ended the wait. */
  private synchronized void isAtWork() {
    mayBeInterrupted = false;
    boolean unused = Thread.interrupted();
  }

  /** Returns whether the answer was read: it may be woken before it sleeps. */
  private boolean ask(DatabaseConnection own, Watch opened) throws SQLException {
    own.begin(Deadline.in(ANSWER_MAX));
    Set<SessionId> sessions = awaited.sessions();
    try {
      opened.listen(sessions);
      if (opened.hasChanged() || awaited.hasUnread()) {
        awaited.read(own);
      }
    } catch (SQLException e) {
      if (database.isHarmless(e)) {
        return false;
      }
      throw e;
    }
    hears(sessions);
    ready.complete(true);
    return true;
  }

  private synchronized void hears(Set<SessionId> sessions) {
    heard = sessions;
    notifyAll();
  }

  private synchronized void hasWoken() {
    woken = true;
    notifyAll();
  }

  /** Returns for which sessions it can be woken. */
  synchronized Set<SessionId> heard() {
    return heard;
  }

  /** Returns whether it was woken once at least, and can be woken for a session. */
  synchronized boolean isWokenFor(SessionId session) {
    return woken && heard.contains(session);
  }

  /** Waits a little for that. */
  @SuppressWarnings("WaitNotInLoop") // The caller wakes it again before it asks again.
  synchronized void awaitWokenFor(SessionId session, Duration atMost) throws InterruptedException {
    if (!isWokenFor(session)) {
      wait(Math.max(1, atMost.toMillis()));
    }
  }

  private void end(Exception reason) {
    over = true;
    LOG.debug("{}: no more hints", database.describe(), reason);
    ready.completeExceptionally(reason);
    awaited.listeners().forEach(this::tellEnd);
  }

  /** One that fails keeps no other from being told. */
  private void tellEnd(HintListener listener) {
    try {
      listener.ended();
    } catch (RuntimeException | Error e) {
      LOG.warn("{}: a listener could not be told that hints have ended", database.describe(), e);
    }
  }

  @Override
  public void close() {
    @Nullable Watch opened;
    synchronized (this) {
      over = true;
      opened = watch;
      if (mayBeInterrupted) {
        thread.interrupt();
      }
    }
    if (opened != null) {
      opened.close();
    }
  }

  /** Waits for some time until it has left the database, after {@link #close}. */
  void awaitGone(Deadline deadline) {
    try {
      thread.join(Math.max(1, deadline.remaining().toMillis())); // Zero would be for ever.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
