package io.holdfast.jdbc.database;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Released;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** For databases whose statements return the row that they have changed. */
final class ReturningChanges extends ReturningSessionChanges implements RowChanges {

  private final QueueTextDialect dialect;

  ReturningChanges(QueueTextDialect dialect) {
    super(dialect);
    this.dialect = dialect;
  }

  @Override
  public Optional<Attempt> grab(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    return connection.change(
        dialect.grab(),
        parameters,
        row -> granted(row, Contention.NOBODY_WAITS).orElseGet(Attempt.Queued::new));
  }

  @Override
  public Optional<Attempt> overtake(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    return connection
        .change(dialect.overtake(), parameters, row -> granted(row, Contention.NOT_KNOWN))
        .flatMap(attempt -> attempt);
  }

  /** By their places: some drivers look for a column's name anew in each result. */
  private static Optional<Attempt> granted(ResultSet row, Contention contention)
      throws SQLException {
    long number = row.getLong(1);
    return number == 0
        ? Optional.empty()
        : Optional.of(new Attempt.Granted(number, StoreTime.instant(row.getLong(2)), contention));
  }

  @Override
  public Released release(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    return connection
        .change(
            dialect.release(),
            parameters,
            row ->
                switch (row.getInt(1)) {
                  case 1 -> Released.WAS_WAITING;
                  case 2 -> Released.FREED;
                  default -> Released.HANDED_ON;
                })
        .orElse(Released.NOTHING);
  }

  @Override
  public Optional<Long> markRevoked(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    return connection.change(dialect.markRevoked(), parameters, row -> row.getLong("remaining"));
  }
}
