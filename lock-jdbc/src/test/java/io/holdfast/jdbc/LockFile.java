package io.holdfast.jdbc;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.SessionSpec;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A lock file of a test, its backends, and a way to its tables past them. */
final class LockFile implements AutoCloseable {

  static final Duration TTL = Duration.ofSeconds(15);
  static final ProcessIdentity PROCESS = new ProcessIdentity("host:4711");

  private static final AtomicLong SERIALS = new AtomicLong();

  final Path path;
  private final List<LockBackend> backends = new ArrayList<>();

  LockFile(Path path) {
    this.path = path;
  }

  static LockFile in(Path directory) {
    return new LockFile(directory.resolve("locks.db"));
  }

  static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20));
  }

  String uri() {
    return "jdbc:sqlite:" + path;
  }

  LockBackend backend() {
    return backend(SqliteSettings.standard());
  }

  LockBackend backend(SqliteSettings settings) {
    return backend(settings, BackendOptions.DEFAULTS);
  }

  LockBackend backend(SqliteSettings settings, BackendOptions options) {
    LockBackend backend =
        JdbcLockBackend.sqlite(SqliteFile.ofUri(uri()), settings, options, soon());
    backends.add(backend);
    return backend;
  }

  /** Opens a session. */
  static SessionId session(LockBackend backend) {
    return session(backend, TTL);
  }

  static SessionId session(LockBackend backend, Duration ttl) {
    SessionId id = SessionId.fresh();
    backend.open(new SessionSpec(id, ttl, 0, PROCESS), soon());
    return id;
  }

  /** Makes a request that was never made before. */
  static Request request(SessionId session, String name, IfHeld ifHeld) {
    return new Request(
        new LockName(name),
        new RequestId(session, SERIALS.incrementAndGet()),
        LockMode.EXCLUSIVE,
        ifHeld,
        PROCESS,
        "why not",
        Payload.ofText("here"));
  }

  /** Takes a lock that is free. */
  static Attempt.Granted take(LockBackend backend, Request request) {
    return (Attempt.Granted) backend.grab(request, soon());
  }

  static Observed observed(Request request, long number) {
    return new Observed(request.name(), number, request.id());
  }

  /** Executes a statement past the library. */
  int execute(String sql) {
    try (Connection connection = DriverManager.getConnection(uri());
        Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Reads a number past the library. */
  long number(String sql) {
    try (Connection connection = DriverManager.getConnection(uri());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Makes the last renewal of a session older than it is. */
  void age(SessionId session, Duration by) {
    execute(
        "UPDATE holdfast_sessions SET renewed = renewed - %d WHERE id = '%s'"
            .formatted(StoreTime.micros(by), session));
  }

  @Override
  public void close() {
    backends.forEach(LockBackend::close);
  }
}
