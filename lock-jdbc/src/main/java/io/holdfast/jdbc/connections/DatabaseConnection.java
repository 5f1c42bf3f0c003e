package io.holdfast.jdbc.connections;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A connection in autocommit mode with its prepared statements. Used by one thread at a time, for
 * one verb at a time.
 */
public final class DatabaseConnection {

  /** Preparing costs a round trip. PostgreSQL's driver waits for as many by itself. */
  private static final int WORTH_PREPARING_AFTER = 5;

  private final RestorableConnection restorable;
  private final Connection jdbc;
  private final Database database;
  private final Object origin;
  private final @Nullable OwnThread thread;
  private final Map<String, Prepared> prepared = new HashMap<>();

  /** The parameters that the connection's origin adds to those of each statement. */
  private Map<String, String> given = Map.of();

  private @Nullable Deadline deadline;
  private boolean changed;
  private volatile long heardNanos = System.nanoTime();
  private volatile boolean unusable;

  /** What a call does on a connection. */
  @FunctionalInterface
  public interface Work<T> {
    T on(DatabaseConnection connection) throws SQLException;
  }

  /** Reads a row. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /**
   * Takes over a connection.
   *
   * @param origin the mark by which the database recognises that the connection still leads to it
   */
  public DatabaseConnection(RestorableConnection restorable, Database database, Object origin) {
    this(restorable, database, origin, null);
  }

  /**
   * Takes over a connection.
   *
   * @param thread if given, where calls do their work and the connection is closed; it ends with it
   */
  public DatabaseConnection(
      RestorableConnection restorable,
      Database database,
      Object origin,
      @Nullable OwnThread thread) {
    this.restorable = restorable;
    this.jdbc = restorable.jdbc();
    this.database = database;
    this.origin = origin;
    this.thread = thread;
    restorable.restoreWith(this::closeStatements);
  }

  /** Some drivers keep those that are open until the connection itself is closed. */
  private void closeStatements() throws SQLException {
    for (Prepared each : prepared.values()) {
      each.statement.close();
    }
    prepared.clear();
  }

  public Connection jdbc() {
    return jdbc;
  }

  public Object origin() {
    return origin;
  }

  /** Records that the database has just answered on it. */
  public void heard() {
    heardNanos = System.nanoTime();
  }

  /** Returns when the database was last known to answer on it. */
  public long heardNanos() {
    return heardNanos;
  }

  /** Asks the database whether the connection works. */
  public boolean isValid(int seconds) {
    try {
      return call(own -> own.jdbc.isValid(seconds));
    } catch (SQLException e) {
      return false;
    }
  }

  /**
   * Does the work of a call, on the connection's own thread if it has one. The caller waits for it
   * as long as it takes: an interrupt is pending afterwards.
   */
  public <T> T call(Work<T> work) throws SQLException {
    return thread == null ? work.on(this) : thread.call(() -> work.on(this));
  }

  /** Begins a verb. */
  public void begin(Deadline deadline) {
    this.deadline = deadline;
    this.changed = false;
  }

  /** Returns whether the verb has changed something already. */
  public boolean hasChanged() {
    return changed;
  }

  /** Executes a query. */
  public <T> List<T> read(String text, Map<String, ?> parameters, Reader<T> reader)
      throws SQLException {
    PreparedStatement statement = ready(text, parameters);
    List<T> rows = new ArrayList<>(1);
    // To the end: a statement that returns what it changed is committed only by the step that
    // finds no further row, and fails in that step if it fails.
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows.add(reader.read(result));
      }
    } catch (SQLException e) {
      database.requireSentOnce(jdbc);
      throw e;
    }
    database.requireSentOnce(jdbc);
    return rows;
  }

  /** Executes a change of one row that returns the changed row; empty if it changed nothing. */
  public <T> Optional<T> change(String text, Map<String, ?> parameters, Reader<T> reader)
      throws SQLException {
    List<T> rows = read(text, parameters, row -> readChanged(row, reader));
    changed |= !rows.isEmpty();
    return rows.isEmpty() ? Optional.empty() : Optional.of(rows.get(rows.size() - 1));
  }

  /** A row that cannot be read was changed all the same. */
  private <T> T readChanged(ResultSet row, Reader<T> reader) throws SQLException {
    boolean isRead = false;
    try {
      T answer = reader.read(row);
      isRead = true;
      return answer;
    } finally {
      changed |= !isRead;
    }
  }

  /** Executes a change and returns how many rows it changed. */
  public int change(String text, Map<String, ?> parameters) throws SQLException {
    PreparedStatement statement = ready(text, parameters);
    try {
      int rows = statement.executeUpdate();
      database.requireSentOnce(jdbc);
      changed |= rows > 0;
      return rows;
    } catch (SQLException e) {
      database.requireSentOnce(jdbc);
      throw e;
    }
  }

  /**
   * Executes a change of one row and returns the key that it generates, or 0 if it changed none.
   */
  public long changeForKey(String text, Map<String, ?> parameters) throws SQLException {
    PreparedStatement statement = ready(text, parameters, Statement.RETURN_GENERATED_KEYS);
    statement.executeUpdate();
    try (ResultSet keys = statement.getGeneratedKeys()) {
      long key = keys.next() ? keys.getLong(1) : 0;
      changed |= key != 0;
      return key;
    }
  }

  private PreparedStatement ready(String text, Map<String, ?> parameters) throws SQLException {
    return ready(text, parameters, Statement.NO_GENERATED_KEYS);
  }

  private PreparedStatement ready(String text, Map<String, ?> parameters, int keys)
      throws SQLException {
    if (deadline != null) {
      if (deadline.hasPassed()) {
        throw new BackendFailure(
            changed ? Effect.UNKNOWN : Effect.NONE,
            "A call to %s timed out before it was complete.".formatted(database.describe()),
            null);
      }
      database.limit(jdbc, deadline);
    }
    Prepared found = prepared(text, keys);
    found.bind(parameters, given);
    database.onStatement(text);
    return found.statement;
  }

  private Prepared prepared(String text, int keys) throws SQLException {
    @Nullable Prepared found = prepared.get(text);
    if (found == null) {
      found = prepare(database.unprepared(), text, keys);
    } else if (found.executions == WORTH_PREPARING_AFTER && !database.unprepared().isEmpty()) {
      found.statement.close();
      found = prepare("", text, keys);
      found.executions = WORTH_PREPARING_AFTER;
    }
    found.executions++;
    return found;
  }

  private Prepared prepare(String hint, String text, int keys) throws SQLException {
    if (given.isEmpty()) {
      given = database.originParameters(origin);
    }
    NamedSql sql = database.compiled(text);
    PreparedStatement statement = jdbc.prepareStatement(hint + sql.jdbc(), keys);
    // An option of the driver or the pool may say otherwise, and a row that is missing in an answer
    // is taken for gone.
    statement.setMaxRows(0);
    Prepared made = new Prepared(statement, sql.parameters());
    prepared.put(text, made);
    return made;
  }

  /** Marks it as unusable: it is then closed instead of given back. */
  public void markUnusable() {
    unusable = true;
  }

  /** Gives the connection back in its original state, or discards it if it is unusable. */
  public void giveBack() {
    leave(unusable ? restorable::discard : restorable::giveBack);
  }

  private void leave(Runnable close) {
    if (thread == null) {
      close.run();
    } else {
      thread.end(close);
    }
  }

  /**
   * Adds what takes back what a verb has made at the database for this connection, before others
   * use it. A connection that only this backend uses is closed instead.
   */
  public void restoreWith(RestorableConnection.Restore restore) {
    restorable.restoreWith(restore);
  }

  /** Returns whether only this backend uses it. */
  public boolean isOurs() {
    return restorable.isOurs();
  }

  /** Closes a connection that is unusable. */
  public void discard() {
    leave(restorable::discard);
  }

  /**
   * Aborts the connection, from any thread. One with a thread of its own is closed when the call
   * under way has returned, which nothing ends.
   */
  public void abort() {
    if (thread == null) {
      restorable.abort();
    } else {
      FutureTask<?> unused = thread.beginToEnd(restorable::discard);
    }
  }
}
