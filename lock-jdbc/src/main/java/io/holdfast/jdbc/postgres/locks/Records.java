package io.holdfast.jdbc.postgres.locks;

import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.jdbc.connections.DatabaseConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The verbs that show locks with all that hold them and wait for them. */
final class Records {

  /** Greater than every byte of UTF-8, so that a prefix and this is above all that begins so. */
  private static final byte ABOVE = (byte) 0xff;

  private Records() {}

  /** A row: a lock, and one of its entries if it has any. */
  private record Row(LockName name, long number, Optional<EntryRow> entry) {

    static Row read(ResultSet row) throws SQLException {
      return new Row(EntryRow.name(row), row.getLong("number"), EntryRow.read(row));
    }
  }

  static Optional<LockRecord> inspect(DatabaseConnection connection, LockName name)
      throws SQLException {
    return records(
            connection.read(RecordStatements.INSPECT, Map.of("name", name.bytes()), Row::read))
        .stream()
        .findFirst();
  }

  static List<LockRecord> list(
      DatabaseConnection connection, String prefix, Optional<LockName> after, int limit)
      throws SQLException {
    byte[] begin = LockName.utf8("The prefix", prefix);
    byte[] high = Arrays.copyOf(begin, begin.length + 1);
    high[begin.length] = ABOVE;
    byte[] low = after.map(Records::successor).orElse(begin);
    Map<String, Object> parameters =
        Map.of(
            "low",
            Arrays.compareUnsigned(low, begin) > 0 ? low : begin,
            "high",
            high,
            "limit",
            limit);
    return records(connection.read(RecordStatements.LIST, parameters, Row::read));
  }

  /** Returns the least of the bytes that come after a name. */
  private static byte[] successor(LockName name) {
    byte[] bytes = name.bytes();
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  private static List<LockRecord> records(List<Row> rows) {
    Map<LockName, List<Row>> locks = new LinkedHashMap<>();
    rows.forEach(row -> locks.computeIfAbsent(row.name(), name -> new ArrayList<>()).add(row));
    return locks.values().stream().map(Records::of).toList();
  }

  private static LockRecord of(List<Row> lock) {
    List<EntryRow> entries = lock.stream().flatMap(row -> row.entry().stream()).toList();
    return new LockRecord(
        lock.get(0).name(),
        lock.get(0).number(),
        entries.stream().filter(entry -> !entry.waits()).map(EntryRow::holder).toList(),
        entries.stream().filter(EntryRow::waits).map(EntryRow::waiter).toList());
  }
}
