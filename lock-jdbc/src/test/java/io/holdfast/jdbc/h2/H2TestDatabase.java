package io.holdfast.jdbc.h2;

import static io.holdfast.jdbc.fixtures.LockFile.soon;

import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** An H2 database of a test, its backends, and a way to its tables past them. */
public final class H2TestDatabase implements AutoCloseable {

  private final String uri;
  private final List<LockBackend> backends = new ArrayList<>();

  public H2TestDatabase(String uri) {
    this.uri = uri;
  }

  /** Returns one in a file that processes share. */
  public static H2TestDatabase in(Path directory) {
    return new H2TestDatabase(
        "jdbc:h2:async:%s;AUTO_SERVER=TRUE".formatted(directory.resolve("locks")));
  }

  /**
   * Returns the same, for calls of this process that come in each other's way: a statement waits
   * for longer than a machine stands still.
   */
  public static H2TestDatabase patient(Path directory) {
    return new H2TestDatabase(in(directory).uri() + ";LOCK_TIMEOUT=60000");
  }

  public String uri() {
    return uri;
  }

  public LockBackend backend() {
    return backend(ServerSettings.standard(), BackendOptions.DEFAULTS);
  }

  public LockBackend backend(ServerSettings settings, BackendOptions options) {
    LockBackend backend = Backends.h2(new H2Uri(uri), settings, options, soon());
    backends.add(backend);
    return backend;
  }

  /** Connects past the library. */
  Connection connect() throws SQLException {
    return DriverManager.getConnection(uri, "sa", "");
  }

  /** Executes statements past the library. */
  public void execute(String... statements) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads a text past the library. */
  public String text(String sql) {
    try (Connection connection = connect();
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
  }
}
