package io.holdfast.jdbc.mariadb;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.RowChanges;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Released;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reads the generated keys in which {@link MariaDialect}'s statements tell what they have done. */
final class GeneratedKeyChanges implements RowChanges {

  /** A request waits, or there is more to know of a session. */
  private static final long ONE = 1;

  /**
   * A request holds by a number that is to be read with its time. Less than any clock or number.
   */
  private static final long HOLDS = 2;

  private final MariaDialect dialect;
  private final String grab;
  private final String take;
  private final String remove;

  GeneratedKeyChanges(MariaDialect dialect) {
    this.dialect = dialect;
    this.grab = dialect.grab();
    this.take = dialect.take();
    this.remove = dialect.remove();
  }

  /** A session that was not opened, though its id is free, would be in another incarnation. */
  @Override
  public Optional<Instant> openSession(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    long key;
    try {
      key = connection.changeForKey(dialect.openSession(), parameters);
    } catch (SQLIntegrityConstraintViolationException e) {
      return Optional.empty();
    }
    if (key == 0) {
      throw MariaErrors.anotherIncarnation();
    }
    return Optional.of(StoreTime.instant(key));
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
    long key = connection.changeForKey(grab, parameters);
    return key == ONE ? Optional.of(new Attempt.Queued()) : granted(key);
  }

  @Override
  public Optional<Attempt> take(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    return granted(connection.changeForKey(take, parameters));
  }

  private static Optional<Attempt> granted(long key) {
    return key > HOLDS
        ? Optional.of(new Attempt.Granted(key, StoreTime.instant(key), Contention.NOBODY_WAITS))
        : Optional.empty();
  }

  @Override
  public Released remove(DatabaseConnection connection, Map<String, ?> parameters)
      throws SQLException {
    return RowChanges.removed(connection.changeForKey(remove, parameters));
  }
}
