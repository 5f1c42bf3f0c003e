package io.holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that we have, and how to let go of it. One that somebody else has after us, from a
 * pool, is set back to what it was.
 */
final class Taken {

  private static final Logger LOG = LoggerFactory.getLogger(Taken.class);

  private final Connection handle;
  private final Connection connection;
  private final boolean handedOn;
  private final Deque<Undo> undos = new ArrayDeque<>();

  /** What undoes a change of the connection. */
  interface Undo {
    void run() throws SQLException;
  }

  private Taken(Connection handle, Connection connection, boolean handedOn) {
    this.handle = handle;
    this.connection = connection;
    this.handedOn = handedOn;
  }

  /** A connection that nobody else has had or will have. */
  static Taken ours(Connection connection) {
    return new Taken(connection, connection, false);
  }

  /** A connection that others have had before, and will have after. */
  static Taken borrowed(Connection handle) throws SQLException {
    try {
      // Behind proxies that look with each call for a transaction of the calling thread.
      return new Taken(handle, handle.getMetaData().getConnection(), true);
    } catch (SQLException | RuntimeException | Error e) {
      handle.close();
      throw e;
    }
  }

  Connection connection() {
    return connection;
  }

  /** Makes it one with autocommit, for writing, at READ COMMITTED. */
  void settle() throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    // Somebody may have left a transaction open, and switching autocommit on would commit it.
    connection.setAutoCommit(false);
    connection.rollback();
    connection.setAutoCommit(true);
    if (!autoCommit) {
      undos.push(() -> connection.setAutoCommit(false));
    }
    if (connection.isReadOnly()) {
      connection.setReadOnly(false);
      undos.push(() -> connection.setReadOnly(true));
    }
    int isolation = connection.getTransactionIsolation();
    if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      undos.push(() -> connection.setTransactionIsolation(isolation));
    }
  }

  /** Is told what undoes a change of the connection's settings. */
  void undoneBy(Undo undo) {
    undos.push(undo);
  }

  /** Is told the statement that undoes a change of the connection's settings. */
  void undoneBy(String statement) {
    undoneBy(
        () -> {
          try (Statement undo = connection.createStatement()) {
            undo.execute(statement);
          }
        });
  }

  /** Lets go of it, as it came. */
  void giveBack() {
    try {
      if (handedOn) {
        for (Undo undo : undos) {
          undo.run();
        }
      }
    } catch (SQLException e) {
      LOG.debug("A connection could not be set back, so it is not handed on", e);
      abort();
    }
    close();
  }

  /** Lets go of one that is of no use any more. */
  void discard() {
    abort();
    close();
  }

  /** Breaks it off: whoever waits for its answer gets an exception. */
  void abort() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      LOG.debug("A connection could not be aborted", e);
    }
  }

  private void close() {
    try {
      handle.close();
    } catch (SQLException e) {
      // Nothing depends on it: every statement was committed or undone by itself.
      LOG.debug("A connection could not be closed", e);
    }
  }
}
