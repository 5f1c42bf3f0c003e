package io.holdfast.jdbc.postgres.locks;

import io.holdfast.LockMode;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.LocksSeen;
import io.holdfast.jdbc.postgres.locks.LockReader.LockState;
import io.holdfast.spi.RequestKey;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The verb by which an exclusive holder shares the lock from now on. */
final class Downgrades {

  private static final long CAME_BETWEEN = 0;

  private final LockReader reader;
  private final LocksSeen crowded;

  Downgrades(LockReader reader, LocksSeen crowded) {
    this.reader = reader;
    this.crowded = crowded;
  }

  /**
   * Returns the number of the shared grant. A step that comes between has got another client on,
   * and the connection ends this at the deadline.
   */
  OptionalLong downgrade(DatabaseConnection connection, RequestKey key) throws SQLException {
    Map<String, Object> parameters =
        Map.of("name", key.name().bytes(), "leaver", key.request().toString());
    while (true) {
      Optional<Long> number =
          connection.change(LeaveStatements.DOWNGRADE, parameters, row -> row.getLong("number"));
      if (number.isEmpty()) {
        return ofShared(reader.read(connection, key.name(), key.request()));
      }
      if (number.get() != CAME_BETWEEN) {
        crowded.add(key.name());
        return OptionalLong.of(number.get());
      }
    }
  }

  private static OptionalLong ofShared(LockState state) {
    return state.holds() && state.mode() == LockMode.SHARED
        ? OptionalLong.of(state.number())
        : OptionalLong.empty();
  }
}
