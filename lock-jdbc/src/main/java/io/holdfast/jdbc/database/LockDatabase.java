package io.holdfast.jdbc.database;

import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.pools.BackendConnections;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One database in which locks are kept: how to connect to it, its statements, and what else differs
 * between kinds of databases.
 */
public interface LockDatabase extends Database {

  /** Returns its statements. */
  Dialect dialect();

  /** A client's options for the verbs on locks; a record is idle from {@code idle} on. */
  record Options(BackendOptions backend, Duration idle) {}

  /**
   * Returns the verbs on its locks.
   *
   * @param onTexts makes them for a database where a queue is a text
   */
  LockVerbs verbs(Options options, Function<QueueTextDatabase, LockVerbs> onTexts);

  /**
   * Returns whether the destination of a connection with this origin has certainly been replaced,
   * so that no session opened over the connection can be in the present database.
   */
  boolean isReplaced(Object origin);

  /**
   * Records the present data incarnation if another one is recorded, begins the restart guard, and
   * ends the sessions of other data incarnations.
   *
   * @return whether there was a record or session of another data incarnation
   */
  default boolean recordIncarnation(DatabaseConnection connection) throws SQLException {
    return false;
  }

  /** Returns whether a statement failed only because another client inserted the same row first. */
  default boolean isDuplicateKey(SQLException e) {
    return false;
  }

  /**
   * Returns whether grants that were confirmed may be lost when the server restarts or is replaced.
   */
  default boolean mayLoseGrants() {
    return false;
  }

  /**
   * Connects to tables of any version, to retire them; ends the sessions of an earlier incarnation
   * as {@link #open} does. Makes nothing; empty if there is no database.
   */
  Optional<DatabaseConnection> openFormer(Deadline deadline);

  /** Returns which of our tables are there, by their names without the prefix. */
  Set<String> tablesThere(DatabaseConnection connection) throws SQLException;

  /** Returns how others are kept out while tables are retired. */
  Exclusion exclusion();

  /** Returns the source of hints; empty where waiters have to poll. */
  default Optional<HintSource> hints(BackendConnections connections) {
    return Optional.empty();
  }
}
