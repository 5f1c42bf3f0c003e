package io.holdfast.jdbc.verbs;

import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.LockDatabase.Options;
import io.holdfast.jdbc.database.LockVerbs;
import io.holdfast.jdbc.database.QueueTextDatabase;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Standing;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The verbs on locks whose queues are texts. */
public final class QueueTexts implements LockVerbs {

  private final Queues queues;
  private final Queries queries;
  private final Sweep sweep;

  public QueueTexts(QueueTextDatabase database, Options options) {
    this.queues = new Queues(database, options.backend());
    this.queries = new Queries(database);
    this.sweep = new Sweep(database, options.idle());
  }

  @Override
  public Attempt grab(DatabaseConnection connection, Request request) throws SQLException {
    return queues.grab(connection, request);
  }

  @Override
  public Attempt overtake(DatabaseConnection connection, Request request, Observed head)
      throws SQLException {
    return queues.overtake(connection, request, head);
  }

  @Override
  public Released release(DatabaseConnection connection, LockName name, RequestId request)
      throws SQLException {
    return queues.release(connection, name, request);
  }

  @Override
  public Revocation revoke(DatabaseConnection connection, Observed head, RevokeWhen when)
      throws SQLException {
    return queues.revoke(connection, head, when);
  }

  @Override
  public List<Standing> look(
      DatabaseConnection connection, SessionId session, List<RequestKey> requests)
      throws SQLException {
    return queries.look(connection, session, requests);
  }

  @Override
  public Optional<LockRecord> inspect(DatabaseConnection connection, LockName name)
      throws SQLException {
    return queries.inspect(connection, name);
  }

  @Override
  public List<LockRecord> list(
      DatabaseConnection connection, String prefix, Optional<LockName> after, int limit)
      throws SQLException {
    return queries.list(connection, prefix, after, limit);
  }

  @Override
  public int sweep(DatabaseConnection connection) throws SQLException {
    return sweep.run(connection);
  }
}
