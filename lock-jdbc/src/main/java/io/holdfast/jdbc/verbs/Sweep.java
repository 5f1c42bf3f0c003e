package io.holdfast.jdbc.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockName;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.database.StoreTime;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Deletes free records and removes holders whose sessions are over, a bounded number of rows at a
 * time. A row whose time lies in the future, because the clock was ahead, first gets the present
 * time.
 */
final class Sweep {

  private static final int LIMIT = 500;

  private final QueueTextDialect dialect;
  private final Removals removals;
  private final long idle;

  private record Idle(LockName name, long number, boolean free, boolean ahead) {}

  Sweep(QueueTextDialect dialect, Removals removals, Duration idle) {
    this.dialect = dialect;
    this.removals = removals;
    this.idle = StoreTime.micros(idle);
  }

  /** Returns how many records and holders are gone, or have another time. */
  int run(DatabaseConnection connection) throws SQLException {
    Map<String, Object> bounds = Map.of("idle", idle, "limit", LIMIT);
    // Found by a separate query, so that no lock is held while all records are read.
    List<Idle> records =
        connection.read(
            dialect.idleRecords(),
            bounds,
            row ->
                new Idle(
                    new LockName(new String(row.getBytes("name"), UTF_8)),
                    row.getLong("number"),
                    row.getBoolean("free"),
                    row.getBoolean("ahead")));
    List<Idle> old = records.stream().filter(record -> !record.ahead()).toList();
    return restampIdle(connection, records.stream().filter(Idle::ahead).toList())
        + removeDead(connection, old.stream().filter(record -> !record.free()).toList())
        + deleteFree(connection, old.stream().filter(Idle::free).toList());
  }

  private int restampIdle(DatabaseConnection connection, List<Idle> ahead) throws SQLException {
    return ahead.isEmpty()
        ? 0
        : connection.change(dialect.restampIdle(), Map.of("names", names(ahead)));
  }

  /**
   * Removes holders that no request has overtaken since; a stay of another clock begins again. The
   * records are free from now on, and deleted when they have been idle again.
   */
  private int removeDead(DatabaseConnection connection, List<Idle> held) throws SQLException {
    int removed = 0;
    for (Idle record : held) {
      removed += removals.removeDead(connection, record.name());
    }
    return removed;
  }

  private int deleteFree(DatabaseConnection connection, List<Idle> free) throws SQLException {
    if (free.isEmpty()) {
      return 0;
    }
    long highest = free.stream().mapToLong(Idle::number).max().orElseThrow();
    // First the floor: a record that is created again must start above its last number.
    connection.change(dialect.raiseFloor(), Map.of("number", highest));
    return connection.change(dialect.deleteFree(), Map.of("names", names(free), "idle", idle));
  }

  private Object names(List<Idle> records) {
    return dialect.names(
        records.stream().map(record -> Queries.hex(record.name().bytes())).toList());
  }
}
