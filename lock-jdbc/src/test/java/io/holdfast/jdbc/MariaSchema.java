package io.holdfast.jdbc;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.server.MariaServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A database of a test on a MariaDB server, its backends, and a way to its tables past them. */
final class MariaSchema implements AutoCloseable {

  private static final AtomicLong SERIALS = new AtomicLong();

  private final String uri;
  private final String name;
  private final List<LockBackend> backends = new ArrayList<>();

  private MariaSchema(String server, String name) {
    this.uri = server.replace("/app?", "/" + name + "?");
    this.name = name;
  }

  static MariaSchema make(MariaServer server) {
    return make(server.uri());
  }

  static MariaSchema make(String server) {
    MariaSchema schema = new MariaSchema(server, "test" + SERIALS.incrementAndGet());
    execute(server, "CREATE DATABASE " + schema.name);
    return schema;
  }

  static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20));
  }

  String uri() {
    return uri;
  }

  LockBackend backend() {
    return backend(ServerSettings.standard(), BackendOptions.DEFAULTS);
  }

  LockBackend backend(ServerSettings settings, BackendOptions options) {
    LockBackend backend = JdbcLockBackend.maria(uri, settings, options, soon());
    backends.add(backend);
    return backend;
  }

  /** Executes a statement past the library. */
  int execute(String sql) {
    return execute(uri, sql);
  }

  private static int execute(String uri, String sql) {
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

  @Override
  public void close() {
    backends.forEach(LockBackend::close);
    execute("DROP DATABASE " + name);
  }
}
