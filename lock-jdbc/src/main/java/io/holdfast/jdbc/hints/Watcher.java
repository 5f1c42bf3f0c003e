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

  boolean isOver() {
    return over;
  }

  private void run() {
    Exception reason = new SQLException("It was closed.");
    try {
      Loan lent = connections.beside(connectBy);
      DatabaseConnection own = lent.connection();
      try (Watch opened = changes.watch(own)) {
        watch = opened;
        watch(own, opened);
      } catch (InterruptedException | SQLException | RuntimeException | Error e) {
        lent.discard();
        throw e;
      }
      boolean unused = Thread.interrupted(); // So was it told to end, and has.
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
      if (opened.await(Duration.ofNanos(Math.max(pauseNanos, restNanos)))) {
        hasWoken();
        pauseNanos = briskNanos;
      } else {
        pauseNanos = Math.min(MORE_RARELY * pauseNanos, opened.longestPause().toNanos());
      }
    }
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
    over = true;
    @Nullable Watch opened = watch;
    if (opened != null) {
      opened.close();
    }
    thread.interrupt();
  }
}
