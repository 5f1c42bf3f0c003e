package io.holdfast.jdbc.postgres.locks;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The removal of a request from its lock or queue, by its own session or by others. */
final class Removals {

  private static final String CAME_BETWEEN = "CAME_BETWEEN";
  private static final String TAKEN = "TAKEN";

  private Removals() {}

  /**
   * The outcome of a removal.
   *
   * @param released empty if a newcomer has taken the lock
   * @param number the lock's number after it
   * @param since when the lock got its holder, or became free
   */
  record Removal(Optional<Released> released, long number, Instant since) {

    /** Reads a row; empty if a step came between. */
    private static Optional<Removal> read(ResultSet row) throws SQLException {
      String told = row.getString("told");
      return told.equals(CAME_BETWEEN)
          ? Optional.empty()
          : Optional.of(
              new Removal(
                  told.equals(TAKEN) ? Optional.empty() : Optional.of(Released.valueOf(told)),
                  row.getLong("number"),
                  StoreTime.instant(row.getLong("since"))));
    }

    boolean isTaken() {
      return released.isEmpty();
    }
  }

  /** Removes an observed holder without a further condition; returns whether it was there. */
  static boolean evict(DatabaseConnection connection, Observed holder) throws SQLException {
    return remove(connection, LeaveStatements.EVICT, parameters(holder)).isPresent();
  }

  /** Removes an observed holder that counts no more; returns whether it was there. */
  static boolean removeDead(DatabaseConnection connection, Observed holder) throws SQLException {
    return remove(connection, LeaveStatements.REMOVE_DEAD, parameters(holder)).isPresent();
  }

  private static Map<String, Object> parameters(Observed holder) {
    return Map.of(
        "name", holder.name().bytes(),
        "leaver", holder.request().toString(),
        "number", holder.number());
  }

  /**
   * Executes one of the statements that remove a request; empty if it is not there, or not to be
   * removed. A step that comes between has got another client on, and the connection ends this at
   * the deadline.
   */
  static Optional<Removal> remove(
      DatabaseConnection connection, String statement, Map<String, ?> parameters)
      throws SQLException {
    while (true) {
      Optional<Optional<Removal>> told = connection.change(statement, parameters, Removal::read);
      if (told.isEmpty() || told.get().isPresent()) {
        return told.flatMap(removal -> removal);
      }
    }
  }
}
