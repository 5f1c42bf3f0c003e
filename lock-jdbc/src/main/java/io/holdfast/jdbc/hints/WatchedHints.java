package io.holdfast.jdbc.hints;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.HoldfastException;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.ChangeSource;
import io.holdfast.jdbc.database.HintSource;
import io.holdfast.jdbc.database.QueueTextDatabase;
import io.holdfast.jdbc.pools.BackendConnections;
import io.holdfast.jdbc.verbs.Glance;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.RequestKey;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hints from reading what the client's requests wait for whenever something has changed: one thread
 * and one connection for all sessions of a client, there while one of them listens.
 */
public final class WatchedHints implements HintSource {

  private static final Logger LOG = LoggerFactory.getLogger(WatchedHints.class);

  private static final int ATTEMPTS_MAX = 30;

  private static final Duration WAKES_WITHIN = Duration.ofMillis(100);

  private static final Duration WAKING_MAX = Duration.ofSeconds(1);

  /** So long a closing client waits for the watch to leave the database, whose last it may be. */
  private static final Duration GONE_WITHIN = Duration.ofSeconds(1);

  private final QueueTextDatabase database;
  private final BackendConnections connections;
  private final ChangeSource changes;
  private final Object lock = new Object();
  private volatile @Nullable Watcher watcher;

  /** Those that were told to end and may be there yet. */
  private final List<Watcher> leaving = new ArrayList<>();

  private boolean closed;

  public WatchedHints(
      QueueTextDatabase database, ChangeSource changes, BackendConnections connections) {
    this.database = database;
    this.connections = connections;
    this.changes = changes;
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline) {
    Watcher used = subscribe(session, listener, deadline);
    try {
      awaitReady(used, deadline);
      if (changes.isWoken()) {
        awaitWoken(used, session, deadline);
      }
    } catch (RuntimeException e) {
      unsubscribe(used, session, listener);
      throw e;
    }
    return () -> unsubscribe(used, session, listener);
  }

  private Watcher subscribe(SessionId session, HintListener listener, Deadline deadline) {
    synchronized (lock) {
      if (closed) {
        throw failure("The backend for %s is closed.".formatted(database.describe()), null);
      }
      Watcher used = watcher;
      if (used == null || used.isOver()) {
        used =
            new Watcher(database, connections, changes, new Awaited(database.dialect()), deadline);
        used.start();
        watcher = used;
      }
      used.awaited().listen(session, listener);
      return used;
    }
  }

  private void unsubscribe(Watcher used, SessionId session, HintListener listener) {
    synchronized (lock) {
      used.awaited().leave(session, listener);
      if (!used.awaited().isEmpty()) {
        return;
      }
      if (watcher == used) {
        watcher = null;
      }
      leaving.removeIf(Watcher::isGone);
      leaving.add(used);
    }
    end(used);
  }

  private void end(Watcher used) {
    used.close();
    if (changes.isWoken()) {
      tryTo(Deadline.in(WAKING_MAX), connection -> changes.wake(connection, used.heard()));
    }
  }

  private void awaitReady(Watcher used, Deadline deadline) {
    try {
      used.ready().get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
      if (used.isOver()) { // It may have ended before it knew of this listener.
        throw failure("The watch of %s has ended.".formatted(database.describe()), null);
      }
    } catch (TimeoutException e) {
      throw failure("%s could not be watched in time.".formatted(database.describe()), e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof BackendUnusableException refused) {
        throw refused;
      }
      throw failure("%s cannot be watched: %s".formatted(database.describe(), e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("Interrupted while beginning to watch %s.".formatted(database.describe()), e);
    }
  }

  /** Wakes it from its wait, so that it takes up the session: this shows that it can be woken. */
  private void awaitWoken(Watcher used, SessionId session, Deadline deadline) {
    for (int attempt = 0; !used.isWokenFor(session); attempt++) {
      if (used.isOver() || deadline.hasPassed()) {
        throw failure(
            "The watch of %s could not be woken in time.".formatted(database.describe()), null);
      }
      if (attempt == ATTEMPTS_MAX) {
        throw new BackendUnusableException(
            "A connection that waits at %s cannot be woken by another: KILL QUERY has no effect, as behind some proxies."
                .formatted(database.describe()));
      }
      connections.verb(
          deadline,
          connection -> {
            changes.wake(connection, used.heard());
            return used;
          });
      try {
        used.awaitWokenFor(session, WAKES_WITHIN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failure("Interrupted while beginning to watch %s.".formatted(database.describe()), e);
      }
    }
  }

  /** Failing has no other effect than that those concerned learn of it a second later. */
  @Override
  public void changed(LockName name, Deadline deadline) {
    if (!changes.isWoken()) {
      return;
    }
    boolean isShort = deadline.remaining().compareTo(WAKING_MAX) < 0;
    tryTo(
        isShort ? deadline : Deadline.in(WAKING_MAX),
        connection ->
            changes.wake(connection, Glance.concerned(connection, database.dialect(), name)));
  }

  /** Something on a connection. */
  @FunctionalInterface
  private interface Step {
    void on(DatabaseConnection connection) throws SQLException;
  }

  /** Over a connection for releases, which do not queue behind other calls. */
  private void tryTo(Deadline deadline, Step step) {
    try {
      connections.ending(
          deadline,
          connection -> {
            step.on(connection);
            return step;
          });
    } catch (BackendFailure | HoldfastException e) {
      LOG.debug("{}: a watch could not be woken", database.describe(), e);
    }
  }

  private static BackendFailure failure(String message, @Nullable Exception cause) {
    return new BackendFailure(Effect.NONE, message, cause);
  }

  @Override
  public void waits(RequestKey request) {
    Watcher used = watcher;
    if (used != null) {
      used.awaited().add(request);
    }
  }

  @Override
  public void waitsNoMore(RequestKey request) {
    Watcher used = watcher;
    if (used != null) {
      used.awaited().remove(request);
    }
  }

  @Override
  public void close() {
    Watcher last;
    List<Watcher> rest;
    synchronized (lock) {
      closed = true;
      last = watcher;
      watcher = null;
      rest = new ArrayList<>(leaving);
    }
    if (last != null) {
      end(last);
      rest.add(last);
    }
    Deadline within = Deadline.in(GONE_WITHIN);
    rest.forEach(watched -> watched.awaitGone(within));
  }
}
