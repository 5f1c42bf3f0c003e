package io.holdfast.jdbc.verbs;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.LockDatabase.Options;
import io.holdfast.jdbc.database.LockVerbs;
import io.holdfast.jdbc.database.QueueTextDatabase;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The verbs on locks whose queues are texts. */
public final class QueueTexts implements LockVerbs {

  private final Queues queues;
  private final Removals removals;
  private final Revocations revocations;
  private final Queries queries;
  private final Sweep sweep;

  public QueueTexts(QueueTextDatabase database, Options options) {
    QueueTextDialect dialect = database.dialect();
    EntryChanges entries = new EntryChanges(dialect);
    LockReader reader = new LockReader(dialect, entries);
    this.queues = new Queues(database, reader, entries, options.backend());
    this.removals = new Removals(reader, queues, entries);
    this.revocations = new Revocations(dialect, reader, queues, entries);
    this.queries = new Queries(reader, entries);
    this.sweep = new Sweep(dialect, removals, options.idle());
  }

  @Override
  public Set<LockMode> modes() {
    return Set.of(LockMode.EXCLUSIVE, LockMode.SHARED);
  }

  @Override
  public Set<Stays> stays() {
    return Set.of(Stays.values());
  }

  @Override
  public Attempt grab(DatabaseConnection connection, Request request) throws SQLException {
    return queues.grab(connection, request);
  }

  @Override
  public Attempt overtake(DatabaseConnection connection, Request request, Observed head)
      throws SQLException {
    return removals.overtake(connection, request, head);
  }

  @Override
  public Released release(DatabaseConnection connection, LockName name, RequestId request)
      throws SQLException {
    return queues.release(connection, new RequestKey(name, request));
  }

  @Override
  public Released releaseAfter(DatabaseConnection connection, RequestKey key, Duration stay)
      throws SQLException {
    return queues.releaseAfter(connection, key, stay);
  }

  @Override
  public OptionalLong downgrade(DatabaseConnection connection, RequestKey key) throws SQLException {
    return queues.downgrade(connection, key);
  }

  @Override
  public Revocation revoke(DatabaseConnection connection, Observed head, RevokeWhen when)
      throws SQLException {
    return revocations.revoke(connection, head, when);
  }

  @Override
  public Revocation revokeIn(DatabaseConnection connection, Observed head, Duration notice)
      throws SQLException {
    return revocations.revokeIn(connection, head, notice);
  }

  @Override
  public List<Standing> look(
      DatabaseConnection connection, SessionId session, List<RequestKey> requests)
      throws SQLException {
    return queries.look(connection, session, requests);
  }

  @Override
  public Optional<LockRecord> inspect(DatabaseConnection connection, LockName name, int waiters)
      throws SQLException {
    return queries.inspect(connection, name).map(record -> record.withFirst(waiters));
  }

  @Override
  public Optional<List<Waiter>> waitersBehind(
      DatabaseConnection connection, LockName name, RequestId after, int limit)
      throws SQLException {
    return queries.inspect(connection, name).flatMap(record -> record.waitersBehind(after, limit));
  }

  @Override
  public List<LockRecord> list(
      DatabaseConnection connection, String prefix, Optional<LockName> after, int limit)
      throws SQLException {
    return queries.list(connection, prefix, after, limit);
  }

  @Override
  public List<RequestKey> requestsOf(DatabaseConnection connection, SessionId session)
      throws SQLException {
    return queries.requestsOf(connection, session);
  }

  @Override
  public int sweep(DatabaseConnection connection) throws SQLException {
    return sweep.run(connection);
  }
}
