package io.holdfast.jdbc.database;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The statements that change a lock whose queue is a text, and report the result as others do. */
public interface RowChanges extends SessionChanges {

  /** Returns that the request holds or waits; empty if the record must be read to know. */
  Optional<Attempt> grab(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException;

  /** Returns the grant of a lock that is free and has a record; empty if it may be otherwise. */
  Optional<Attempt> take(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException;

  /** Returns the effect of a request's removal. */
  Released remove(DatabaseConnection connection, Map<String, ?> parameters) throws SQLException;

  /** Returns what {@link QueueTextDialect#remove} has told; 0 if it changed nothing. */
  static Released removed(long told) {
    return switch ((int) told) {
      case 0 -> Released.NOTHING;
      case 1 -> Released.WAS_WAITING;
      case 2 -> Released.FREED;
      case 3 -> Released.HANDED_ON;
      default -> Released.SHARED;
    };
  }
}
