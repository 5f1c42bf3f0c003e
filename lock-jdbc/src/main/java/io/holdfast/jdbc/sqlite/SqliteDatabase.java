package io.holdfast.jdbc.sqlite;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.connections.NamedSql;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.jdbc.database.ChangeSource;
import io.holdfast.jdbc.database.Exclusion;
import io.holdfast.jdbc.database.QueueTextDatabase;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.database.Tables;
import io.holdfast.jdbc.file.FileWatch;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteOpenMode;
import org.sqlite.jdbc4.JDBC4Connection;

/** One lock file in SQLite, shared by the processes of one machine. */
public final class SqliteDatabase implements QueueTextDatabase {

  private static final int WAL_RETRY_MILLIS = 2;

  /** By its name, which older drivers pass over. */
  private static final String GENERATED_KEYS = "jdbc.get_generated_keys";

  /** Asking costs next to nothing. */
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

  private final SqliteFile file;
  private final FileCheck fileCheck;
  private final SqliteSettings settings;
  private final SqliteDialect dialect = new SqliteDialect();
  private final SqliteTables tables;
  private final Map<String, NamedSql> compiled = new ConcurrentHashMap<>();

  /** The file behind a connection: its key, and the mark of sessions opened in it. */
  private record Origin(Object key, String dataIncarnation) {}

  public SqliteDatabase(SqliteFile file, SqliteSettings settings) {
    this.file = file;
    this.fileCheck = new FileCheck(file);
    this.settings = settings;
    this.tables = new SqliteTables(new Tables(this, settings.prefix()));
  }

  @Override
  public String describe() {
    return "sqlite:" + file;
  }

  @Override
  public QueueTextDialect dialect() {
    return dialect;
  }

  @Override
  public String render(String text) {
    return dialect.render(text, settings.prefix());
  }

  @Override
  public NamedSql compiled(String text) {
    NamedSql known = compiled.get(text);
    if (known == null) {
      // Two threads at once put it together twice.
      known = NamedSql.numbered(render(text));
      compiled.put(text, known);
    }
    return known;
  }

  @Override
  public Map<String, String> originParameters(Object origin) {
    return Map.of(
        "incarnation",
        settings.incarnation(),
        "dataincarnation",
        ((Origin) origin).dataIncarnation());
  }

  @Override
  public boolean isStale(Object origin) {
    return !fileCheck.isThere(((Origin) origin).key());
  }

  @Override
  public boolean isKnownStale(Object origin) {
    return !fileCheck.wasJustThere(((Origin) origin).key());
  }

  @Override
  public boolean isReplaced(Object origin) {
    return isStale(origin) && (file.key().isPresent() || file.isGone());
  }

  @Override
  public void limit(Connection connection, Deadline deadline) throws SQLException {
    SQLiteConnection sqlite = (SQLiteConnection) connection;
    int millis = Math.max(1, deadline.remainingMillis());
    if (sqlite.getBusyTimeout() != millis) {
      sqlite.setBusyTimeout(millis);
    }
  }

  @Override
  public RuntimeException failure(SQLException e, Effect before) {
    return SqliteErrors.failure(file, e, before);
  }

  /** Never: a new connection checks the file and its tables again. */
  @Override
  public boolean isHarmless(SQLException e) {
    return false;
  }

  @Override
  public void onStatement(String text) {
    settings.onStatement().accept(text);
  }

  @Override
  public Optional<ChangeSource> changes() {
    return Optional.of(
        own ->
            new FileWatch(
                new DataVersion(own, this), settings.events().of(file.path()), LONGEST_PAUSE));
  }

  @Override
  public DatabaseConnection open(Deadline deadline) {
    file.requireLocal(settings.fileSystem());
    try {
      while (!deadline.hasPassed()) {
        Optional<Object> key = file.key();
        if (key.isEmpty()) {
          create(deadline);
          continue;
        }
        file.requireWritable();
        FileNames.requireOne(file);
        Origin origin = new Origin(key.get(), file.serial());
        SQLiteConnection connection = connect(false, deadline);
        try {
          prepare(connection, origin, deadline);
        } catch (SQLException | RuntimeException | Error e) {
          connection.close();
          throw e;
        }
        DatabaseConnection opened =
            new DatabaseConnection(RestorableConnection.ours(connection), this, origin);
        if (!isStale(origin)) {
          return opened;
        }
        opened.giveBack();
      }
    } catch (SQLException e) {
      throw failure(e, Effect.NONE);
    }
    throw new BackendFailure(
        Effect.NONE, "The lock file %s could not be opened in time.".formatted(file), null);
  }

  @Override
  public Optional<DatabaseConnection> openFormer(Deadline deadline) {
    file.requireLocal(settings.fileSystem());
    Optional<Object> key = file.key();
    if (key.isEmpty()) {
      return Optional.empty();
    }
    file.requireWritable();
    FileNames.requireOne(file);
    Origin origin = new Origin(key.get(), file.serial());
    try {
      SQLiteConnection connection = connect(false, deadline);
      try {
        for (String pragma : settings.pragmas()) {
          execute(connection, pragma);
        }
        tables.prepareFormer(connection, origin.dataIncarnation());
      } catch (SQLException | RuntimeException | Error e) {
        connection.close();
        throw e;
      }
      return Optional.of(
          new DatabaseConnection(RestorableConnection.ours(connection), this, origin));
    } catch (SQLException e) {
      throw failure(e, Effect.NONE);
    }
  }

  @Override
  public Set<String> tablesThere(DatabaseConnection connection) throws SQLException {
    return tables.there(connection.jdbc());
  }

  @Override
  public Exclusion exclusion() {
    return Exclusion.transaction("BEGIN IMMEDIATE");
  }

  /**
   * Makes an empty file, which is opened again later: only a file that was there before can be
   * known to be the one that was opened.
   */
  private void create(Deadline deadline) throws SQLException {
    connect(true, deadline).close();
    file.shareLikeDirectory();
  }

  private SQLiteConnection connect(boolean create, Deadline deadline) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setOpenMode(SQLiteOpenMode.OPEN_URI);
    config.setBusyTimeout(Math.max(1, deadline.remainingMillis()));
    // A commit survives the end of every process, but a power loss may undo the last ones. That is
    // enough: it ends every holder on this machine too, and the numbers come from the clock.
    config.setSynchronous(SynchronousMode.NORMAL);
    Properties properties = config.toProperties();
    // Else the driver looks with a regular expression for a key after each change.
    properties.setProperty(GENERATED_KEYS, "false");
    try {
      String uri = file.uri(create);
      // By the configuration it would be registered with DriverManager first. That takes a JVM as
      // long as the connection, and no caller looks for it there.
      SQLiteConnection connection =
          new JDBC4Connection(uri, uri.substring(JDBC.PREFIX.length()), properties);
      requireUsable(connection);
      return connection;
    } catch (SQLException e) {
      if (e.getErrorCode() == 0 && e.getCause() != null) {
        throw new BackendUnusableException(
            "SQLite's native library cannot be loaded (%s). It is unpacked into the directory for temporary files unless -Dorg.sqlite.tmpdir or -Dorg.sqlite.lib.path say otherwise."
                .formatted(e.getCause()),
            e);
      }
      throw e;
    }
  }

  private static void requireUsable(SQLiteConnection connection) throws SQLException {
    try {
      SqliteVersion.of(connection.libversion()).requireUsable();
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private void prepare(SQLiteConnection connection, Origin origin, Deadline deadline)
      throws SQLException {
    for (String pragma : settings.pragmas()) {
      execute(connection, pragma);
    }
    if (!isWal(connection)) {
      found(connection);
      switchToWal(connection, deadline);
    }
    tables.require(connection);
    tables.recordIncarnation(connection, origin.dataIncarnation());
  }

  /**
   * Makes the tables before the file's first use. The only transaction of several statements: it
   * keeps all others out of a file that is empty, and has no log yet, while the remains of an
   * earlier file of that name are removed from beside it. Those who use the earlier one still have
   * it.
   */
  private void found(SQLiteConnection connection) throws SQLException {
    execute(connection, "BEGIN EXCLUSIVE");
    if (!isWal(connection) && "0".equals(text(connection, "SELECT count(*) FROM sqlite_schema"))) {
      try {
        file.removeLeftovers();
      } catch (IOException e) {
        throw new BackendUnusableException(
            "A file left beside %s by an earlier one of the same name cannot be removed: %s. Delete the files beside it that end in -wal and -shm."
                .formatted(file, e),
            e);
      }
      tables.create(connection);
    }
    execute(connection, "COMMIT");
  }

  /** SQLite does not wait when processes race for this one, so we do. */
  private void switchToWal(SQLiteConnection connection, Deadline deadline) throws SQLException {
    while (true) {
      try {
        String mode = text(connection, "PRAGMA journal_mode = WAL");
        if (!"wal".equals(mode)) {
          throw new BackendUnusableException(
              "SQLite cannot keep a write-ahead log for %s (it stays at %s), without which processes would block each other. Put the file on a local disk."
                  .formatted(file, mode));
        }
        return;
      } catch (SQLException e) {
        if (!SqliteErrors.isBusy(e) || deadline.hasPassed()) {
          throw e;
        }
      }
      try {
        Thread.sleep(WAL_RETRY_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BackendFailure(
            Effect.NONE, "Interrupted while opening the lock file %s.".formatted(file), e);
      }
    }
  }

  private static boolean isWal(Connection connection) throws SQLException {
    return "wal".equals(text(connection, "PRAGMA journal_mode"));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String text(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : "";
    }
  }
}
