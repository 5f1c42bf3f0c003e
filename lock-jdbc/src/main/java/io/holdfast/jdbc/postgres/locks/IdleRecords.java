package io.holdfast.jdbc.postgres.locks;

import io.holdfast.LockName;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.record.RequestId;
import io.holdfast.spi.answer.Observed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * Deletes free records and removes holders whose sessions are over, a bounded number at a time. A
 * record whose time lies in the future, because the clock was ahead, first gets the present time.
 */
final class IdleRecords {

  private static final int LIMIT = 500;

  private final Dialect dialect;

  /** As a parameter of statements. */
  private final Long idle;

  private record Free(LockName name, long number) {

    static Free read(ResultSet row) throws SQLException {
      return new Free(EntryRow.name(row), row.getLong("number"));
    }
  }

  IdleRecords(Dialect dialect, Duration idle) {
    this.dialect = dialect;
    this.idle = StoreTime.micros(idle);
  }

  /**
   * Returns how many records and orphaned holders are gone, or have another time. All are found by
   * separate queries, so that no lock is held while all records are read.
   */
  int sweep(DatabaseConnection connection) throws SQLException {
    return restamp(connection) + evict(connection) + delete(connection);
  }

  private int restamp(DatabaseConnection connection) throws SQLException {
    List<LockName> ahead =
        connection.read(RecordStatements.AHEAD, Map.of("limit", LIMIT), EntryRow::name);
    return ahead.isEmpty()
        ? 0
        : connection.change(dialect.restampIdle(), Map.of("names", names(ahead)));
  }

  /**
   * Removes holders whose session or stay is over and which no request has overtaken since; one
   * with a lock-delay stays for that long first, and a stay of another clock begins again. The
   * records are free from now on, and deleted when they have been idle again.
   */
  private int evict(DatabaseConnection connection) throws SQLException {
    int evicted = 0;
    for (Observed orphan :
        connection.read(
            RecordStatements.ORPHANS,
            Map.of("idle", idle, "limit", LIMIT),
            row ->
                new Observed(
                    EntryRow.name(row),
                    row.getLong("number"),
                    RequestId.parse(row.getString("request"))))) {
      boolean isChanged =
          Removals.removeDead(connection, orphan)
              || StayChanges.beginDelay(connection, orphan)
              || StayChanges.beginAnew(connection, orphan.name());
      evicted += isChanged ? 1 : 0;
    }
    return evicted;
  }

  private int delete(DatabaseConnection connection) throws SQLException {
    List<Free> free =
        connection.read(RecordStatements.FREE, Map.of("idle", idle, "limit", LIMIT), Free::read);
    if (free.isEmpty()) {
      return 0;
    }
    long highest = free.stream().mapToLong(Free::number).max().orElseThrow();
    // First the floor: a record that is created again must start above its last number.
    connection.change(dialect.raiseFloor(), Map.of("number", highest));
    return connection.change(
        RecordStatements.DELETE_FREE,
        Map.of("names", names(free.stream().map(Free::name).toList()), "idle", idle));
  }

  private Object names(List<LockName> names) {
    return dialect.names(
        names.stream().map(name -> HexFormat.of().formatHex(name.bytes())).toList());
  }
}
