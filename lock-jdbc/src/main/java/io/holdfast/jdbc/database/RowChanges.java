package io.holdfast.jdbc.database;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Released;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** The statements that change a lock whose queue is a text, and report the result as others do. */
public interface RowChanges extends SessionChanges {

  /** Returns that the request holds or waits; empty if the record must be read to know. */
  Optional<Attempt> grab(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException;

  /** Returns that the request holds; empty if the record must be read to know. */
  Optional<Attempt> overtake(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException;

  /** Returns the effect of leaving the queue. */
  Released release(DatabaseConnection connection, Map<String, ?> parameters) throws SQLException;

  /**
   * Returns in how many microseconds the revocation is due; empty if the observed head is not in
   * place.
   */
  Optional<Long> markRevoked(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException;
}
