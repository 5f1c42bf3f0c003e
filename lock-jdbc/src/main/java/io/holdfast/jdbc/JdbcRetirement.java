package io.holdfast.jdbc;

import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.verbs.Retirements;
import io.holdfast.record.Retirement;
import io.holdfast.spi.Deadline;
import java.util.Optional;

/** Retires the older layout in a database, over one connection of its own. */
final class JdbcRetirement {

  private JdbcRetirement() {}

  /** Closes the database. */
  static Retirement retire(LockDatabase database, DeadlineTimer timer, Deadline deadline) {
    try (database) {
      Optional<DatabaseConnection> opened = database.openFormer(deadline);
      if (opened.isEmpty()) {
        return new Retirement.Nothing();
      }
      DatabaseConnection connection = opened.get();
      DeadlineTimer.Call call = timer.start(deadline, connection::abort);
      try {
        return Retirements.retire(database, connection, deadline);
      } finally {
        boolean unused = call.returned();
      }
    }
  }
}
