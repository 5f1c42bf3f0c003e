package io.holdfast.jdbc.database;

import io.holdfast.jdbc.connections.DatabaseConnection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** For databases whose statements return the session that they have changed. */
class ReturningSessionChanges implements SessionChanges {

  private final Dialect dialect;

  ReturningSessionChanges(Dialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public Optional<Instant> openSession(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    return connection.change(
        dialect.openSession(), parameters, row -> StoreTime.instant(row.getLong("renewed")));
  }

  @Override
  public Optional<Alive> renew(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    return connection.change(dialect.renew(), parameters, Alive::read);
  }
}
