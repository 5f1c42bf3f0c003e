package io.holdfast.jdbc;

import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** One database: how to connect to it, and what its kind makes different besides statements. */
interface Database extends AutoCloseable {

  /** Returns how it is called in messages. */
  String describe();

  /** Returns its statements. */
  Dialect dialect();

  /** Returns a statement of the dialect as it is sent. */
  String render(String text);

  /**
   * Connects, makes the tables if they are missing, and ends the sessions of an earlier life of the
   * database that may have lost grants.
   */
  Link open(Deadline deadline);

  /** Connects again, to where the tables were found before; they are not looked for anew. */
  default Link reopen(Deadline deadline) {
    return open(deadline);
  }

  /** Returns whether a connection of an origin may not lead to this database any more. */
  boolean isStale(Object origin);

  /**
   * Returns whether what a connection of an origin led to is certainly not this database any more,
   * so that no session opened over it can be in here.
   */
  boolean isReplaced(Object origin);

  /** Makes the next statements of a connection give up by the deadline. */
  void limit(Connection connection, Deadline deadline) throws SQLException;

  /**
   * Returns what statements take besides the parameters of their verb: what this process knows
   * about where a connection leads, and the database cannot say of itself.
   */
  Map<String, String> given(Object origin);

  /**
   * Has the life that the database is in recorded, where another one was, with the restart guard,
   * and ends the sessions of others.
   *
   * @return whether there was anything of another life
   */
  default boolean enter(Link link) throws SQLException {
    return false;
  }

  /**
   * Returns the exception that says what happened.
   *
   * @param before what the call had changed before the statement that failed
   */
  RuntimeException failure(SQLException e, Effect before);

  /** Returns whether a connection is as good as before after a statement failed so. */
  boolean isHarmless(SQLException e);

  /** Returns whether a statement failed only because somebody made the row it was to make. */
  default boolean isRowMadeMeanwhile(SQLException e) {
    return false;
  }

  /** Returns whether a restart or another server in its place may lack grants that it answered. */
  default boolean mayLoseGrants() {
    return false;
  }

  /** Returns what tells waiters that it may be their turn; nothing where they have to ask. */
  default Optional<Push> push(Lanes lanes) {
    return Optional.empty();
  }

  /** Is told every statement before it is executed. */
  void onStatement(String text);

  /** Closes what was made to get connections. */
  @Override
  default void close() {}
}
