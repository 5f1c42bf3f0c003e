package io.holdfast.jdbc.postgres;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.spi.Released;
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
  private final long idle;

  private record Idle(LockName name, long number, String holder, boolean ahead) {

    boolean isFree() {
      return holder.isEmpty();
    }
  }

  IdleRecords(Dialect dialect, Duration idle) {
    this.dialect = dialect;
    this.idle = StoreTime.micros(idle);
  }

  /** Returns how many records and orphaned holders are gone, or have another time. */
  int sweep(DatabaseConnection connection) throws SQLException {
    // Found by a separate query, so that no lock is held while all records are read.
    List<Idle> records =
        connection.read(
            RecordStatements.IDLE,
            Map.of("idle", idle, "limit", LIMIT),
            row ->
                new Idle(
                    HolderRow.name(row),
                    row.getLong("number"),
                    row.getString("holder"),
                    row.getBoolean("ahead")));
    List<Idle> old = records.stream().filter(record -> !record.ahead()).toList();
    return restamp(connection, records.stream().filter(Idle::ahead).toList())
        + evict(connection, old.stream().filter(record -> !record.isFree()).toList())
        + delete(connection, old.stream().filter(Idle::isFree).toList());
  }

  private int restamp(DatabaseConnection connection, List<Idle> ahead) throws SQLException {
    return ahead.isEmpty()
        ? 0
        : connection.change(dialect.restampIdle(), Map.of("names", names(ahead)));
  }

  /**
   * Removes holders whose session is over and which no request has overtaken since. The records are
   * free from now on, and deleted when they have been idle again.
   */
  private static int evict(DatabaseConnection connection, List<Idle> orphans) throws SQLException {
    int evicted = 0;
    for (Idle orphan : orphans) {
      RequestId holder = RequestId.parse(orphan.holder());
      Released released = Removals.remove(connection, orphan.name(), holder, orphan.number());
      evicted += released == Released.NOTHING ? 0 : 1;
    }
    return evicted;
  }

  private int delete(DatabaseConnection connection, List<Idle> free) throws SQLException {
    if (free.isEmpty()) {
      return 0;
    }
    long highest = free.stream().mapToLong(Idle::number).max().orElseThrow();
    // First the floor: a record that is created again must start above its last number.
    connection.change(dialect.raiseFloor(), Map.of("number", highest));
    return connection.change(
        RecordStatements.DELETE_FREE, Map.of("names", names(free), "idle", idle));
  }

  private Object names(List<Idle> records) {
    return dialect.names(
        records.stream().map(record -> HexFormat.of().formatHex(record.name().bytes())).toList());
  }
}
