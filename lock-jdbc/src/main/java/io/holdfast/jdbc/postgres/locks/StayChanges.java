package io.holdfast.jdbc.postgres.locks;

import io.holdfast.LockName;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Observed;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** The steps that let a holder stay without a session. */
final class StayChanges {

  /** For {@link StayStatements}: any number. */
  private static final Long ANY_NUMBER = 0L;

  private StayChanges() {}

  /** Makes a tombstone of a holder that was not revoked; returns whether there is one now. */
  static boolean bury(DatabaseConnection connection, RequestKey key, Duration stay)
      throws SQLException {
    return connection
        .change(
            StayStatements.BURY,
            Map.of(
                "name", key.name().bytes(),
                "number", ANY_NUMBER,
                "request", key.request().toString(),
                "session", key.request().session().value(),
                "stay", StoreTime.micros(stay)),
            row -> row.getBoolean("stays"))
        .orElse(false);
  }

  /** Lets the stays of a lock's holders begin again that are of another clock. */
  static boolean beginAnew(DatabaseConnection connection, LockName name) throws SQLException {
    return connection.change(StayStatements.RESTAMP, Map.of("name", name.bytes())) > 0;
  }

  /** Lets the lock-delay of a dead holder begin; returns whether it had one. */
  static boolean beginDelay(DatabaseConnection connection, Observed holder) throws SQLException {
    return connection
        .change(
            StayStatements.BEGIN_DELAY,
            Map.of(
                "name", holder.name().bytes(),
                "number", holder.number(),
                "request", holder.request().toString(),
                "session", holder.request().session().value()),
            row -> true)
        .orElse(false);
  }
}
