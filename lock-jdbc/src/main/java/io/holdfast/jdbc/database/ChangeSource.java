package io.holdfast.jdbc.database;

import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/**
 * Tells that something may have changed in a database, at a smaller cost than a look, where the
 * database does not tell by itself whose request it was.
 */
public interface ChangeSource {

  /**
   * Begins to watch.
   *
   * @param own a connection that nothing else is done on, except for reading what has changed
   */
  Watch watch(DatabaseConnection own) throws SQLException;

  /**
   * Returns whether a watch sees a change in time only if the client that made it wakes the watch.
   */
  default boolean isWoken() {
    return false;
  }

  /** Wakes the watches that there are for these sessions, in all processes. */
  default void wake(DatabaseConnection connection, Collection<SessionId> sessions)
      throws SQLException {}

  /** Watches over one connection, on one thread. */
  interface Watch extends AutoCloseable {

    /** Says for which sessions it is to be woken from now on; before each question. */
    default void listen(Set<SessionId> sessions) throws SQLException {}

    /** Returns whether anything may have changed since this was asked last. */
    boolean hasChanged() throws SQLException;

    /** Returns after how long it is worth asking again once something has woken it. */
    Duration brisk();

    /** Returns after how long it is worth asking now although nothing has woken it for long. */
    Duration longestPause();

    /**
     * Waits until something may change, at most for so long.
     *
     * @return whether something woke it
     * @throws InterruptedException if its thread is interrupted
     * @throws SQLException if nothing can wake it any more
     */
    boolean await(Duration atMost) throws InterruptedException, SQLException;

    /** Ends a wait, but for one that others end, and what was used for it; on any thread. */
    @Override
    void close();
  }
}
