package io.holdfast.jdbc.connections;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A JDBC connection, and how to give it back. A connection of an application's pool is restored to
 * its original state first.
 *
 * <p>Once it is on its way back, its pool may hand it on to others, regardless of the thread that
 * gives it back. So an abort, which another thread may have decided on before, reaches the
 * connection itself only until then, and while an abort is under way it does not go back.
 */
public final class RestorableConnection {

  private static final Logger LOG = LoggerFactory.getLogger(RestorableConnection.class);

  private final Connection handle;
  private final Connection connection;
  private final boolean handedOn;
  private final Deque<Restore> restores = new ArrayDeque<>();
  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

  private enum State {
    OPEN,
    ABORTING,
    /** As aborting; the thread that aborts it closes it, too. */
    ABORTING_TO_CLOSE,
    ABORTED,
    CLOSING
  }

  /** Restores one changed property of the connection. */
  public interface Restore {
    void run() throws SQLException;
  }

  private RestorableConnection(Connection handle, Connection connection, boolean handedOn) {
    this.handle = handle;
    this.connection = connection;
    this.handedOn = handedOn;
  }

  /** A connection that only this backend uses. */
  public static RestorableConnection ours(Connection connection) {
    return new RestorableConnection(connection, connection, false);
  }

  /** A connection of an application's pool, which others use before and after. */
  static RestorableConnection borrowed(Connection handle) throws SQLException {
    try {
      // The connection behind proxies that look for the calling thread's transaction with each
      // call.
      return new RestorableConnection(handle, handle.getMetaData().getConnection(), true);
    } catch (SQLException | RuntimeException | Error e) {
      handle.close();
      throw e;
    }
  }

  public Connection jdbc() {
    return connection;
  }

  /** Returns whether only this backend uses it. */
  public boolean isOurs() {
    return !handedOn;
  }

  /** Switches it to autocommit, to writing, and to READ COMMITTED. */
  public void applyDefaults() throws SQLException {
    applyAutoCommit();
    if (connection.isReadOnly()) {
      connection.setReadOnly(false);
      restores.push(() -> connection.setReadOnly(true));
    }
    int isolation = connection.getTransactionIsolation();
    if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      restores.push(() -> connection.setTransactionIsolation(isolation));
    }
  }

  private void applyAutoCommit() throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (autoCommit && isOurs()) {
      return; // It is not used yet. Some drivers ask the server for each change of this.
    }
    // An earlier user may have left a transaction open, and switching autocommit on would commit
    // it. So would restoring autocommit where that cannot be rolled back.
    try {
      connection.setAutoCommit(false);
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      abort();
      throw e;
    }
    if (!autoCommit) {
      restores.push(() -> connection.setAutoCommit(false));
    }
  }

  /**
   * Adds an action that restores a changed setting of the connection, before those added so far.
   */
  public void restoreWith(Restore restore) {
    restores.push(restore);
  }

  /** Adds a statement that restores a changed setting of the connection. */
  public void restoreWith(String statement) {
    restoreWith(
        () -> {
          try (Statement restore = connection.createStatement()) {
            restore.execute(statement);
          }
        });
  }

  /** Gives it back in its original state. */
  public void giveBack() {
    boolean restored = false;
    try {
      if (handedOn) {
        for (Restore restore : restores) {
          restore.run();
        }
      }
      restored = true;
    } catch (SQLException | RuntimeException e) {
      LOG.debug("A connection could not be restored, so it is closed", e);
    } finally {
      if (restored) {
        close();
      } else {
        discard();
      }
    }
  }

  /** Closes one that is unusable, whatever its driver says to that. */
  public void discard() {
    try {
      abort();
    } finally {
      close();
    }
  }

  /** Aborts it: a thread that waits for its answer gets an exception. */
  public void abort() {
    if (state.compareAndSet(State.OPEN, State.ABORTING)) {
      try {
        abort(connection);
      } finally {
        if (!state.compareAndSet(State.ABORTING, State.ABORTED)) {
          closeHandle();
        }
      }
    } else if (state.get() == State.CLOSING) {
      // A pool may hang while it takes it back. A handle that is closed ignores this.
      abort(handle);
    }
  }

  private static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException | RuntimeException e) {
      LOG.debug("A connection could not be aborted", e);
    }
  }

  private void close() {
    State before =
        state.getAndUpdate(
            now ->
                switch (now) {
                  case OPEN -> State.CLOSING;
                  case ABORTING -> State.ABORTING_TO_CLOSE;
                  default -> now;
                });
    if (before == State.OPEN || before == State.ABORTED) {
      closeHandle();
    }
  }

  private void closeHandle() {
    try {
      handle.close();
    } catch (SQLException | RuntimeException e) {
      // Nothing depends on it: every statement was committed or undone by itself.
      LOG.debug("A connection could not be closed", e);
    }
  }
}
