package io.holdfast.jdbc.postgres;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.database.HintSource;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.pools.BackendConnections;
import io.holdfast.jdbc.postgres.locks.PostgresLocks;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Hints by LISTEN and NOTIFY: one channel for each session, and one connection for all sessions of
 * a client, which is there while one of them listens.
 */
final class PostgresHints implements HintSource {

  private static final String NOTIFY = "SELECT pg_notify(:channel, '')";

  /** Longer than any notification takes that is on its way at all. */
  private static final Duration ARRIVES_WITHIN = Duration.ofSeconds(2);

  private final LockDatabase database;
  private final BackendConnections connections;
  private final Object lock = new Object();
  private @Nullable PostgresListener listener;
  private boolean closed;

  PostgresHints(LockDatabase database, BackendConnections connections) {
    this.database = database;
    this.connections = connections;
  }

  @Override
  public AutoCloseable listen(SessionId session, HintListener hints, Deadline deadline) {
    String channel = PostgresLocks.channel(session);
    PostgresListener used = subscribe(channel, hints, deadline);
    try {
      if (!await(used.ready(), deadline)) {
        throw unconnected();
      }
      // The notification that wakes the listener, so that it takes up the new channel, shows at the
      // same time that notifications arrive.
      connections.verb(
          deadline,
          connection -> connection.read(NOTIFY, Map.of("channel", used.ownChannel()), row -> true));
      Duration left = deadline.remaining();
      if (!await(used.begun(channel), deadline)) {
        throw left.compareTo(ARRIVES_WITHIN) < 0 ? late() : deaf();
      }
    } catch (RuntimeException e) {
      unsubscribe(used, channel);
      throw e;
    }
    return () -> unsubscribe(used, channel);
  }

  private RuntimeException unconnected() {
    return new BackendFailure(
        Effect.NONE,
        "There was no connection to listen at %s in time.".formatted(database.describe()),
        null);
  }

  private RuntimeException late() {
    return new BackendFailure(
        Effect.NONE, "No notification of %s arrived in time.".formatted(database.describe()), null);
  }

  private RuntimeException deaf() {
    return new BackendUnusableException(
        "Notifications of %s do not arrive. A proxy that pools transactions, such as PgBouncer, swallows them."
            .formatted(database.describe()));
  }

  private PostgresListener subscribe(String channel, HintListener hints, Deadline deadline) {
    synchronized (lock) {
      if (closed) {
        throw new BackendFailure(
            Effect.NONE, "The backend for %s is closed.".formatted(database.describe()), null);
      }
      if (listener == null || listener.isOver()) {
        listener = new PostgresListener(database, connections, deadline);
        listener.start();
      }
      listener.add(channel, hints);
      return listener;
    }
  }

  private void unsubscribe(PostgresListener used, String channel) {
    synchronized (lock) {
      used.remove(channel);
      if (used.isWanted()) {
        return;
      }
      if (listener == used) {
        listener = null;
      }
    }
    used.close();
  }

  /** Returns whether it was completed in time. */
  private boolean await(CompletableFuture<?> future, Deadline deadline) {
    try {
      future.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      @Nullable Throwable cause = e.getCause();
      String message = "No connection to listen at %s: %s".formatted(database.describe(), cause);
      throw cause instanceof SQLFeatureNotSupportedException
          ? new BackendUnusableException(message, e)
          : new BackendFailure(Effect.NONE, message, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BackendFailure(
          Effect.NONE,
          "Interrupted while beginning to listen at %s.".formatted(database.describe()),
          e);
    }
  }

  @Override
  public void close() {
    PostgresListener last;
    synchronized (lock) {
      closed = true;
      last = listener;
      listener = null;
    }
    if (last != null) {
      last.close();
    }
  }
}
