package io.holdfast.jdbc.database;

import io.holdfast.jdbc.connections.DatabaseConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The statements that change a session and report the result in the same round trip. Databases
 * report it in different ways.
 */
public interface SessionChanges {

  /** The row of a renewed session; its incarnation is the present one. */
  record Alive(long ttl, String notices, long renewed, String incarnation) {

    /** Reads columns {@code ttl, notices, renewed, incarnation}. */
    public static Alive read(ResultSet row) throws SQLException {
      return new Alive(
          row.getLong("ttl"),
          row.getString("notices"),
          row.getLong("renewed"),
          row.getString("incarnation"));
    }
  }

  /** Returns when the session was opened; empty if its id was used before. */
  Optional<Instant> openSession(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException;

  /**
   * Returns the session's row after its renewal; empty if it is not there.
   *
   * @param parameters {@code :ttl} is the TTL as this client knows it, or 0
   */
  Optional<Alive> renew(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException;
}
