package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.RowChanges;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Released;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reads the generated keys in which {@link MariaDialect}'s statements tell what they have done. */
record GeneratedKeyChanges(MariaDialect dialect) implements RowChanges {

  /** Less than any clock or number. */
  private static final long ONE = 1;

  private static final long TWO = 2;

  @Override
  public Optional<Instant> openSession(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    try {
      return Optional.of(
          StoreTime.instant(connection.changeForKey(dialect.openSession(), parameters)));
    } catch (SQLIntegrityConstraintViolationException e) {
      return Optional.empty();
    }
  }

  @Override
  public Optional<Alive> renew(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    long key = connection.changeForKey(dialect.renew(), parameters);
    if (key > ONE) {
      return Optional.of(
          new Alive((Long) Objects.requireNonNull(parameters.get("ttl")), "", key, ""));
    }
    return key == 0
        ? Optional.empty()
        : connection.read(dialect.renewal(), parameters, Alive::read).stream().findFirst();
  }

  @Override
  public Optional<Attempt> grab(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    long key = connection.changeForKey(dialect.grab(), parameters);
    return key == ONE ? Optional.of(new Attempt.Queued()) : granted(key, Contention.NOBODY_WAITS);
  }

  @Override
  public Optional<Attempt> overtake(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    return granted(connection.changeForKey(dialect.overtake(), parameters), Contention.NOT_KNOWN);
  }

  /** A number that has run ahead of the clock is read with its time. */
  private static Optional<Attempt> granted(long key, Contention contention) {
    return key > ONE
        ? Optional.of(new Attempt.Granted(key, StoreTime.instant(key), contention))
        : Optional.empty();
  }

  @Override
  public Released release(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    long key = connection.changeForKey(dialect.release(), parameters);
    if (key == 0) {
      return Released.NOTHING;
    }
    if (key == ONE) {
      return Released.WAS_WAITING;
    }
    return key == TWO ? Released.FREED : Released.HANDED_ON;
  }

  @Override
  public Optional<Long> markRevoked(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    long key = connection.changeForKey(dialect.markRevoked(), parameters);
    return key == 0 ? Optional.empty() : Optional.of(key - 1);
  }
}
