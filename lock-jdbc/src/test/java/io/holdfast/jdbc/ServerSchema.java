package io.holdfast.jdbc;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Where the tables of a test are on a server, its backends, and a way to its tables past them. */
abstract class ServerSchema implements AutoCloseable {

  private static final AtomicLong SERIALS = new AtomicLong();

  private final String uri;
  private final String name;
  private final List<LockBackend> backends = new ArrayList<>();

  ServerSchema(String uri, String name) {
    this.uri = uri;
    this.name = name;
  }

  static String freshName() {
    return "test" + SERIALS.incrementAndGet();
  }

  static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20));
  }

  /** Connects as applications do; the caller closes it. */
  static LockBackend connect(String uri) {
    return new JdbcLockProvider().connect(uri, BackendOptions.DEFAULTS, soon());
  }

  abstract LockBackend connect(String way, ServerSettings settings, BackendOptions options);

  /** The statement that removes it. */
  abstract String drop();

  final String name() {
    return name;
  }

  final String uri() {
    return uri;
  }

  final LockBackend backend() {
    return backend(ServerSettings.standard(), BackendOptions.DEFAULTS);
  }

  final LockBackend backend(ServerSettings settings, BackendOptions options) {
    return backend(uri, settings, options);
  }

  /** Returns a backend that gets here by another URI. */
  final LockBackend backend(String way, ServerSettings settings, BackendOptions options) {
    LockBackend backend = connect(way, settings, options);
    backends.add(backend);
    return backend;
  }

  /** Executes a statement past the library. */
  final int execute(String sql) {
    return execute(uri, sql);
  }

  static int execute(String uri, String sql) {
    try (Connection connection = DriverManager.getConnection(uri);
        Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Reads a text past the library. */
  final String text(String sql) {
    try (Connection connection = DriverManager.getConnection(uri);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : "";
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Makes all that was done seem to have been done so much later, or earlier. */
  final void moveTimes(Duration by) {
    long micros = by.toNanos() / 1_000;
    execute("UPDATE holdfast_sessions SET renewed = renewed + " + micros);
    execute(
        "UPDATE holdfast_locks SET since = since + %1$d, revoked = CASE revoked WHEN 0 THEN 0 ELSE revoked + %1$d END"
            .formatted(micros));
    execute(
        "UPDATE holdfast_namespace SET guard_until = CASE guard_until WHEN 0 THEN 0 ELSE guard_until + %d END"
            .formatted(micros));
  }

  @Override
  public final void close() {
    backends.forEach(LockBackend::close);
    execute(drop());
  }
}
