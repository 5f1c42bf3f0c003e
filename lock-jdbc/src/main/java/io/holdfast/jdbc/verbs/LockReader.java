package io.holdfast.jdbc.verbs;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.NameRange;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.database.SessionRow;
import io.holdfast.jdbc.database.SessionRow.Clock;
import io.holdfast.record.LockRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads locks and what their requests are judged by.
 *
 * <p>Sessions are read with the queues or after them: one that is missing then was not alive when
 * its request was read, or has been ended since, and either is final.
 */
final class LockReader {

  private final QueueTextDialect dialect;
  private final EntryChanges entries;

  /** A lock, and what its holders are judged by. */
  record Seen(LockRow lock, Judge judge) {

    private static Seen read(ResultSet row) throws SQLException {
      LockRow lock = LockRow.read(row);
      return new Seen(lock, Judge.read(row, lock.firstSession()));
    }

    LockRecord toRecord() {
      return lock.toRecord(judge);
    }
  }

  /**
   * A lock as a session finds it.
   *
   * @param sessionLives whether that session does
   * @param guard for how many more microseconds the restart guard delays grants
   * @param isGuardInFuture whether it lasts for longer than any could: the clock was set back
   */
  record LockState(boolean sessionLives, Seen seen, long guard, boolean isGuardInFuture) {

    LockRow lock() {
      return seen.lock();
    }

    private LockState with(Seen other) {
      return new LockState(sessionLives, other, guard, isGuardInFuture);
    }
  }

  LockReader(QueueTextDialect dialect, EntryChanges entries) {
    this.dialect = dialect;
    this.entries = entries;
  }

  /** Reads a lock for a session, and gives times of the future the present time. */
  LockState read(DatabaseConnection connection, LockName name, SessionId session)
      throws SQLException {
    LockState state = read(connection, name, session.value());
    if (state.isGuardInFuture()) {
      connection.change(dialect.restampGuard(), Map.of());
    }
    entries.beginAnew(connection, state.lock(), state.seen().judge());
    return state;
  }

  /** Reads a lock; empty if it has no record. */
  Optional<Seen> inspect(DatabaseConnection connection, LockName name) throws SQLException {
    Seen seen = read(connection, name, "").seen();
    return seen.lock().isThere() ? Optional.of(seen) : Optional.empty();
  }

  private LockState read(DatabaseConnection connection, LockName name, String session)
      throws SQLException {
    List<LockState> rows =
        connection.read(
            dialect.standing(),
            Map.of("name", name.bytes(), "session", session),
            row -> stateOf(row, name));
    if (rows.isEmpty()) {
      return new LockState(false, new Seen(LockRow.unknown(name), Judge.NOBODY), 0, false);
    }
    LockState state = rows.get(0);
    return state.with(completed(connection, List.of(state.seen())).get(0));
  }

  private static LockState stateOf(ResultSet row, LockName name) throws SQLException {
    long guard = row.getLong("guard");
    long greatest = row.getLong("guard_max");
    return new LockState(
        row.getBoolean("mine"),
        row.getBytes("name") == null
            ? new Seen(LockRow.unknown(name), Judge.read(row, ""))
            : Seen.read(row),
        Math.min(guard, greatest) - row.getLong("now"),
        guard > greatest);
  }

  /** Reads locks that are held. */
  List<Seen> list(DatabaseConnection connection, Map<String, ?> range) throws SQLException {
    return completed(connection, connection.read(dialect.list(), range, Seen::read));
  }

  /** Reads locks for one of the sessions that stand in their queues; none if it is over. */
  List<LockRow> queues(DatabaseConnection connection, SessionId session, Collection<String> names)
      throws SQLException {
    return connection.read(
        dialect.queues(),
        Map.of("names", dialect.names(names), "session", session.value()),
        LockRow::read);
  }

  /** Reads a page of the locks in whose queues a session stands. */
  List<LockRow> queuesWith(
      DatabaseConnection connection, SessionId session, Optional<LockName> after, int limit)
      throws SQLException {
    Map<String, Object> parameters = new HashMap<>(NameRange.parameters("", after, limit));
    parameters.put("begin", Entry.beginOfMarks(session));
    return connection.read(dialect.queuesWith(), parameters, LockRow::read);
  }

  /** A row has the session of the first entry with it; those of others that hold are read here. */
  private List<Seen> completed(DatabaseConnection connection, List<Seen> locks)
      throws SQLException {
    Set<String> others = new LinkedHashSet<>();
    for (Seen seen : locks) {
      List<Entry> holders = seen.lock().holders();
      if (holders.size() > 1) {
        holders.forEach(entry -> others.add(entry.session()));
      }
    }
    if (others.isEmpty()) {
      return locks;
    }
    Judge judge = judge(connection, others);
    List<Seen> completed = new ArrayList<>(locks.size());
    for (Seen seen : locks) {
      boolean isRun = seen.lock().holders().size() > 1;
      completed.add(isRun ? new Seen(seen.lock(), judge) : seen);
    }
    return completed;
  }

  /** Reads sessions, and with them the clock. */
  Judge judge(DatabaseConnection connection, Collection<String> sessions) throws SQLException {
    Map<String, SessionRow> found = new HashMap<>();
    List<Judge> rows =
        connection.read(
            dialect.sessions(),
            Map.of("sessions", dialect.sessions(sessions)),
            row -> {
              @Nullable SessionRow session = SessionRow.read(row);
              if (session != null) {
                found.put(row.getString("id"), session);
              }
              return new Judge(Clock.read(row), row.getString("present"), found);
            });
    if (rows.isEmpty()) {
      throw new SQLException("The settings of the namespace are gone.");
    }
    return rows.get(0);
  }
}
