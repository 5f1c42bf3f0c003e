package io.holdfast.jdbc.database;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Released;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/** For databases whose statements return the row that they have changed. */
final class ReturningChanges extends ReturningSessionChanges implements RowChanges {

  private final String grab;
  private final String take;
  private final String remove;

  ReturningChanges(QueueTextDialect dialect) {
    super(dialect);
    this.grab = dialect.grab();
    this.take = dialect.take();
    this.remove = dialect.remove() + "\nRETURNING answer";
  }

  @Override
  public Optional<Attempt> grab(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    return connection.change(grab, parameters, ReturningChanges::joined);
  }

  /** By their places: some drivers look for a column's name again in each result. */
  private static Attempt joined(ResultSet row) throws SQLException {
    long number = row.getLong(1);
    return number == 0 ? new Attempt.Queued() : taken(row);
  }

  private static Attempt taken(ResultSet row) throws SQLException {
    return new Attempt.Granted(
        row.getLong(1), StoreTime.instant(row.getLong(2)), Contention.NOBODY_WAITS);
  }

  @Override
  public Optional<Attempt> take(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    return connection.change(take, parameters, ReturningChanges::taken);
  }

  @Override
  public Released remove(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    return connection
        .change(remove, parameters, row -> RowChanges.removed(row.getLong(1)))
        .orElse(Released.NOTHING);
  }
}
