package io.holdfast.jdbc;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.format.Placeholder;
import io.holdfast.tck.format.StoredRecord;
import io.holdfast.tck.format.StoredState;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The tables of a test of stored formats, read and written by the database's own driver. */
final class SqlState implements StoredState {

  private static final String DDL = "ddl";
  private static final String QUEUE = "holdfast_queue";
  private static final List<String> TABLES =
      List.of("holdfast_locks", "holdfast_namespace", QUEUE, "holdfast_sessions");
  private static final String TIME = "^[1-9][0-9]{15}$";

  private final String uri;
  private final Connection connection;
  private volatile String incarnation = "";

  SqlState(String uri, String user) throws SQLException {
    this.uri = uri;
    this.connection =
        user.isEmpty()
            ? DriverManager.getConnection(uri)
            : DriverManager.getConnection(uri, user, "");
  }

  @Override
  public LockBackend connect(BackendOptions options) {
    return new JdbcLockProvider().connect(uri, options, Deadline.in(Duration.ofSeconds(30)));
  }

  @Override
  public List<StoredRecord> read() {
    List<StoredRecord> records = new ArrayList<>();
    try {
      for (String table : present()) {
        records.addAll(rows(table));
      }
      if (!records.isEmpty()) {
        String ddl = new JdbcLockProvider().ddl(uri).orElseThrow();
        records.add(0, StoredRecord.at(DDL).with("statements", ddl));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return records;
  }

  private List<String> present() throws SQLException {
    List<String> present = new ArrayList<>();
    try (ResultSet tables =
        connection
            .getMetaData()
            .getTables(connection.getCatalog(), connection.getSchema(), null, null)) {
      while (tables.next()) {
        present.add(tables.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
      }
    }
    return TABLES.stream().filter(present::contains).toList();
  }

  private List<StoredRecord> rows(String table) throws SQLException {
    List<StoredRecord> records = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
      while (rows.next()) {
        records.add(row(table, rows));
      }
    }
    records.sort(Comparator.comparing(StoredRecord::place));
    return records;
  }

  private static StoredRecord row(String table, ResultSet row) throws SQLException {
    ResultSetMetaData columns = row.getMetaData();
    String key = table + " " + new String(bytes(row, 1), StandardCharsets.ISO_8859_1);
    if (table.equals(QUEUE)) {
      key += " at " + row.getLong("pos");
    }
    StoredRecord stored = StoredRecord.at(key.getBytes(StandardCharsets.ISO_8859_1));
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      if (row.getObject(i) != null) {
        stored = stored.with(columns.getColumnName(i).toLowerCase(Locale.ROOT), bytes(row, i));
      }
    }
    return stored;
  }

  private static byte[] bytes(ResultSet row, int column) throws SQLException {
    if (isBinary(row.getMetaData(), column)) {
      return row.getBytes(column);
    }
    String text =
        isBoolean(row.getMetaData(), column)
            ? Boolean.toString(row.getBoolean(column))
            : row.getString(column);
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** An SQLite column's type is that of its value. */
  private static boolean isBinary(ResultSetMetaData columns, int column) throws SQLException {
    return columns.getColumnType(column) == Types.BINARY
        || columns.getColumnName(column).equalsIgnoreCase("name");
  }

  private static boolean isBoolean(ResultSetMetaData columns, int column) throws SQLException {
    int type = columns.getColumnType(column);
    return type == Types.BOOLEAN || type == Types.BIT;
  }

  @Override
  public List<Placeholder> placeholders() {
    return List.of(
        Placeholder.of("number", "holdfast_locks .*", "number|answer", TIME),
        Placeholder.of("time", "holdfast_(locks|queue) .*", "since|revoked|stay_from", TIME),
        Placeholder.of("time", "holdfast_sessions .*", "renewed", TIME),
        Placeholder.of("incarnation", "holdfast_.*", "incarnation|stay_in", "^.+$"),
        Placeholder.of("time", "holdfast_locks .*", "queue", "[rda]([1-9][0-9]{15})\\+"),
        // The length of an entry with an incarnation in it.
        Placeholder.of("held", "holdfast_locks .*%7e.*", "held", "^.+$"),
        Placeholder.of("incarnation", "holdfast_locks .*", "queue", "@([^;]+);"),
        Placeholder.of("time", "holdfast_sessions .*", "notices", "r([1-9][0-9]{15})\\+"),
        Placeholder.of("incarnation", "holdfast_sessions .*", "notices", "@([^;]+);"),
        Placeholder.of("life", "holdfast_.*", "life|opened_in|given_in", "^.+$"));
  }

  @Override
  public void clear() {
    try {
      for (String table : present()) {
        execute("DROP TABLE " + table);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void write(List<StoredRecord> records, Map<String, String> values) {
    incarnation = values.getOrDefault("incarnation", "");
    try {
      for (StoredRecord stored : records) {
        if (stored.placeText().equals(DDL)) {
          for (String statement : stored.text("statements", values).split(";\n", -1)) {
            execute(statement);
          }
        } else {
          String place = stored.placeText();
          insert(place.substring(0, place.indexOf(' ')), stored, values);
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void execute(String sql) throws SQLException {
    if (!sql.isBlank()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
  }

  private void insert(String table, StoredRecord stored, Map<String, String> values)
      throws SQLException {
    List<String> columns = List.copyOf(stored.fields().keySet());
    String sql =
        "INSERT INTO %s (%s) VALUES (%s)"
            .formatted(
                table,
                String.join(", ", columns),
                String.join(", ", columns.stream().map(column -> "?").toList()));
    try (Statement statement = connection.createStatement();
        ResultSet none =
            statement.executeQuery(
                "SELECT %s FROM %s WHERE 1 = 0".formatted(String.join(", ", columns), table));
        PreparedStatement insert = connection.prepareStatement(sql)) {
      for (int i = 1; i <= columns.size(); i++) {
        String column = columns.get(i - 1);
        if (isBinary(none.getMetaData(), i)) {
          insert.setBytes(i, stored.bytes(column, values));
        } else {
          set(insert, i, none.getMetaData(), stored.text(column, values));
        }
      }
      insert.executeUpdate();
    }
  }

  private static void set(PreparedStatement insert, int i, ResultSetMetaData columns, String value)
      throws SQLException {
    switch (columns.getColumnType(i)) {
      case Types.BOOLEAN, Types.BIT -> insert.setBoolean(i, Boolean.parseBoolean(value));
      case Types.BIGINT, Types.INTEGER -> insert.setLong(i, Long.parseLong(value));
      default -> insert.setString(i, value);
    }
  }

  @Override
  public long number(LockName name) {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT number FROM holdfast_locks WHERE name = ?")) {
      statement.setBytes(1, name.bytes());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Optional<Retirement> retire() {
    return Optional.of(new JdbcLockProvider().retire(uri, Deadline.in(Duration.ofSeconds(30))));
  }

  @Override
  public void lapseSessions() {
    try {
      execute("UPDATE holdfast_sessions SET renewed = 1");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The statement of version 1; all that it did afterwards asked for the session's row. */
  @Override
  public boolean openAsOlderClient(int version) {
    String sql =
        """
        INSERT INTO holdfast_sessions (id, ttl, renewed, incarnation, opened_in, process, notices)
        SELECT '%s', 60000000, %d, '%s', n.life, 'old:1', '' FROM holdfast_namespace n"""
            .formatted(SessionId.fresh().value(), System.currentTimeMillis() * 1000, incarnation);
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql) > 0;
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
