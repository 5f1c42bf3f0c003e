package io.holdfast.jdbc.verbs;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.StoreTime;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Deletes lapsed sessions, a bounded number at a time. One whose time lies in the future, because
 * the clock was ahead, first gets the present time.
 */
public final class SessionSweep {

  private static final int LIMIT = 500;

  private final Dialect dialect;
  private final long idle;

  public SessionSweep(LockDatabase database, Duration idle) {
    this.dialect = database.dialect();
    this.idle = StoreTime.micros(idle);
  }

  /** Returns how many sessions are gone, or have another time. */
  public int run(DatabaseConnection connection) throws SQLException {
    return restampAhead(connection)
        + connection.change(dialect.deleteLapsed(), Map.of("idle", idle, "limit", LIMIT));
  }

  private int restampAhead(DatabaseConnection connection) throws SQLException {
    List<String> ahead =
        connection.read(
            dialect.sessionsAhead(), Map.of("limit", LIMIT), row -> row.getString("id"));
    return ahead.isEmpty()
        ? 0
        : connection.change(dialect.restampAhead(), Map.of("sessions", dialect.sessions(ahead)));
  }
}
