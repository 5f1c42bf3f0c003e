package io.holdfast.jdbc.connections;

import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** The database behind connections, as far as connections depend on it. */
public interface Database extends AutoCloseable {

  /** Returns its name for messages. */
  String describe();

  /** Returns a statement of the dialect as it is sent. */
  String render(String text);

  /**
   * Returns a statement of the dialect as it is prepared, put together when it is first asked for.
   */
  NamedSql compiled(String text);

  /**
   * Returns what a statement begins with that is not worth preparing at the server; empty where the
   * driver decides by itself.
   */
  default String unprepared() {
    return "";
  }

  /**
   * Connects. Creates missing tables, and ends the sessions of an earlier incarnation if the
   * database may have lost grants since, unless an earlier connection has seen to that.
   */
  DatabaseConnection open(Deadline deadline);

  /** Returns whether a connection with an origin may no longer lead to this database. */
  boolean isStale(Object origin);

  /**
   * Returns the same before each call, for which what was found a moment ago will do: looking may
   * cost as much as a part of the call.
   */
  default boolean isKnownStale(Object origin) {
    return isStale(origin);
  }

  /**
   * Called when a statement has returned.
   *
   * @throws SQLException if the driver may have sent it more than once: its answer is not that of
   *     the first copy, which may have been done, or may still be done
   */
  default void requireSentOnce(Connection connection) throws SQLException {}

  /** Makes the next statements of a connection give up by the deadline. */
  void limit(Connection connection, Deadline deadline) throws SQLException;

  /**
   * Returns the parameters that statements take in addition to those of their verb: what this
   * process knows about the destination of a connection and the database cannot report itself.
   */
  Map<String, String> originParameters(Object origin);

  /**
   * Returns the exception to throw for a failure.
   *
   * @param before what the call had changed before the statement that failed
   */
  RuntimeException failure(SQLException e, Effect before);

  /** Returns whether a connection stays usable after a statement failed with this exception. */
  boolean isHarmless(SQLException e);

  /** Called with every statement before it is executed. */
  void onStatement(String text);

  /** Closes the source of its connections. */
  @Override
  default void close() {}
}
