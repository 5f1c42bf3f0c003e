package io.holdfast.jdbc.postgres.locks;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.NameRange;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Edition;
import io.holdfast.spi.answer.Sighting;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The verbs that show locks with all that hold them and wait for them. */
final class Records {

  private Records() {}

  /** A row: a lock, and one of its entries if it has any. */
  private record Row(LockName name, long number, int waiting, Optional<EntryRow> entry) {

    static Row read(ResultSet row) throws SQLException {
      return new Row(
          EntryRow.name(row), row.getLong("number"), row.getInt("waiting"), EntryRow.read(row));
    }
  }

  static Optional<LockRecord> inspect(DatabaseConnection connection, LockName name, int waiters)
      throws SQLException {
    Map<String, Object> parameters = Map.of("name", name.bytes(), "waiters", waiters);
    return records(connection.read(RecordStatements.INSPECT, parameters, Row::read)).stream()
        .findFirst();
  }

  /** Reads the same with its place in the order of the lock's states. */
  static Sighting see(DatabaseConnection connection, LockName name, int waiters)
      throws SQLException {
    Map<String, Object> parameters = Map.of("name", name.bytes(), "waiters", waiters);
    List<Long> changes = new ArrayList<>();
    List<Row> rows =
        connection.read(
            RecordStatements.INSPECT,
            parameters,
            row -> {
              changes.add(row.getLong("changes"));
              return Row.read(row);
            });
    return records(rows).stream()
        .findFirst()
        .map(
            record ->
                new Sighting(record, Optional.of(new Edition(record.number(), changes.get(0)))))
        .orElseGet(() -> Sighting.of(LockRecord.unknown(name)));
  }

  static Optional<List<Waiter>> waitersBehind(
      DatabaseConnection connection, LockName name, RequestId after, int limit)
      throws SQLException {
    Map<String, Object> parameters =
        Map.of("name", name.bytes(), "request", after.toString(), "limit", limit);
    return records(connection.read(RecordStatements.BEHIND, parameters, Row::read)).stream()
        .map(LockRecord::waiters)
        .findFirst();
  }

  static List<LockRecord> list(
      DatabaseConnection connection, String prefix, Optional<LockName> after, int limit)
      throws SQLException {
    return records(
        connection.read(
            RecordStatements.LIST, NameRange.parameters(prefix, after, limit), Row::read));
  }

  static List<RequestKey> requestsOf(DatabaseConnection connection, SessionId session)
      throws SQLException {
    return connection.read(
        RecordStatements.OF_SESSION,
        Map.of("session", session.value()),
        row -> new RequestKey(EntryRow.name(row), RequestId.parse(row.getString("request"))));
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
        entries.stream().filter(EntryRow::waits).map(EntryRow::waiter).toList(),
        lock.get(0).waiting());
  }
}
