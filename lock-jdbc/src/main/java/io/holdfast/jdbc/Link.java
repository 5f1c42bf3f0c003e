package io.holdfast.jdbc;

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
import org.jspecify.annotations.Nullable;

/**
 * A connection in autocommit mode with its prepared statements. Used by one thread at a time, for
 * one verb at a time.
 */
final class Link {

  private final Taken taken;
  private final Connection connection;
  private final Database database;
  private final Object origin;
  private final Map<String, Prepared> prepared = new HashMap<>();
  private @Nullable Deadline deadline;
  private boolean changed;
  private volatile long heardNanos = System.nanoTime();
  private volatile boolean condemned;

  private record Prepared(PreparedStatement statement, List<String> parameters) {}

  /** Reads a row. */
  @FunctionalInterface
  interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /**
   * Takes over a connection.
   *
   * @param origin what the database recognises by that the connection still leads to it
   */
  Link(Taken taken, Database database, Object origin) {
    this.taken = taken;
    this.connection = taken.connection();
    this.database = database;
    this.origin = origin;
  }

  Connection connection() {
    return connection;
  }

  Object origin() {
    return origin;
  }

  /** Is told that the database has answered on it just now. */
  void heard() {
    heardNanos = System.nanoTime();
  }

  /** Returns when the database was last known to answer on it. */
  long heardNanos() {
    return heardNanos;
  }

  /** Asks the database for a sign of life. */
  boolean isValid(int seconds) {
    try {
      return connection.isValid(seconds);
    } catch (SQLException e) {
      return false;
    }
  }

  /** Begins a verb. */
  void begin(Deadline deadline) {
    this.deadline = deadline;
    this.changed = false;
  }

  /** Returns whether the verb has changed something already. */
  boolean hasChanged() {
    return changed;
  }

  /** Executes a query. */
  <T> List<T> read(String text, Map<String, ?> parameters, Reader<T> reader) throws SQLException {
    PreparedStatement statement = ready(text, parameters);
    List<T> rows = new ArrayList<>();
    // To the end: a statement that returns what it changed is committed only by the step that
    // finds no further row, and fails in that step if it fails.
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        rows.add(reader.read(result));
      }
    }
    return rows;
  }

  /** Executes a change of one row that returns what it has become; empty if it changed nothing. */
  <T> Optional<T> change(String text, Map<String, ?> parameters, Reader<T> reader)
      throws SQLException {
    List<T> rows = read(text, parameters, reader);
    changed |= !rows.isEmpty();
    return rows.stream().findFirst();
  }

  /** Executes a change and returns how many rows it changed. */
  int change(String text, Map<String, ?> parameters) throws SQLException {
    int rows = ready(text, parameters).executeUpdate();
    changed |= rows > 0;
    return rows;
  }

  /** Executes a change of one row and returns the key that it generates, or 0 if it does not. */
  long changeForKey(String text, Map<String, ?> parameters) throws SQLException {
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
            "The time for a call to %s was over before it was done.".formatted(database.describe()),
            null);
      }
      database.limit(connection, deadline);
    }
    Prepared found = prepared.get(text);
    if (found == null) {
      NamedSql sql = NamedSql.of(database.render(text));
      found = new Prepared(connection.prepareStatement(sql.jdbc(), keys), sql.parameters());
      prepared.put(text, found);
    }
    Map<String, String> given = database.given(origin);
    for (int i = 0; i < found.parameters().size(); i++) {
      String name = found.parameters().get(i);
      found
          .statement()
          .setObject(i + 1, parameters.containsKey(name) ? parameters.get(name) : given.get(name));
    }
    database.onStatement(text);
    return found.statement();
  }

  /** Is told that it is of no use any more, whoever lets go of it. */
  void condemn() {
    condemned = true;
  }

  /** Lets go of the connection: as it came, unless it is of no use any more. */
  void giveBack() {
    if (condemned) {
      taken.discard();
    } else {
      taken.giveBack();
    }
  }

  /** Lets go of a connection that is of no use any more. */
  void discard() {
    taken.discard();
  }

  /** Breaks the connection off, from any thread. */
  void abort() {
    taken.abort();
  }
}
