package io.holdfast.jdbc;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A schema of a test, its backends, and a way to its tables past them. */
final class PostgresSchema implements AutoCloseable {

  private static final AtomicLong SERIALS = new AtomicLong();

  private final String uri;
  private final String name;
  private final List<LockBackend> backends = new ArrayList<>();

  private PostgresSchema(String server, String name) {
    this.uri = server + "&currentSchema=" + name;
    this.name = name;
  }

  static PostgresSchema make(PostgresServer server) {
    return make(server.uri());
  }

  static PostgresSchema make(String server) {
    PostgresSchema schema = new PostgresSchema(server, "test" + SERIALS.incrementAndGet());
    schema.execute("CREATE SCHEMA " + schema.name);
    return schema;
  }

  static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20));
  }

  String name() {
    return name;
  }

  String uri() {
    return uri;
  }

  LockBackend backend() {
    return backend(ServerSettings.standard(), BackendOptions.DEFAULTS);
  }

  LockBackend backend(ServerSettings settings, BackendOptions options) {
    return backend(uri, settings, options);
  }

  /** Returns a backend that gets here by another URI. */
  LockBackend backend(String way, ServerSettings settings, BackendOptions options) {
    LockBackend backend = JdbcLockBackend.postgres(way, settings, options, soon());
    backends.add(backend);
    return backend;
  }

  /** Executes statements past the library. */
  int execute(String sql) {
    try (Connection connection = DriverManager.getConnection(uri);
        Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Reads a text past the library. */
  String text(String sql) {
    try (Connection connection = DriverManager.getConnection(uri);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : "";
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Makes all that was done seem to have been done so much later, or earlier. */
  void moveTimes(Duration by) {
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
  public void close() {
    backends.forEach(LockBackend::close);
    execute("DROP SCHEMA " + name + " CASCADE");
  }
}
