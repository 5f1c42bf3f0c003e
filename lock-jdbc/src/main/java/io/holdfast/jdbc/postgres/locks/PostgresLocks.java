package io.holdfast.jdbc.postgres.locks;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.LockDatabase.Options;
import io.holdfast.jdbc.database.LockVerbs;
import io.holdfast.jdbc.database.LocksSeen;
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
import io.holdfast.spi.answer.Sighting;
import io.holdfast.spi.answer.Standing;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The verbs on locks whose waiters lie in a table of their own, with those who hold together. */
public final class PostgresLocks implements LockVerbs {

  /** How many requests may wait for one lock unless a client says otherwise. */
  static final int WAITERS_MAX = 4_000;

  /**
   * How many of those who hold a lock together are judged, or told, at a time: those who came
   * first. No waiter gets the lock before they have left, and then others are the first.
   */
  static final int HOLDERS_MAX = 64;

  /** The same for all prefixes of tables: the id of a session is unique by itself. */
  static final String CHANNEL = "holdfast_";

  private final Grabs grabs;
  private final Releases releases;
  private final Downgrades downgrades;
  private final Revocations revocations;
  private final IdleRecords idleRecords;

  public PostgresLocks(LockDatabase database, Options options) {
    LockReader reader = new LockReader(database, options.backend());
    LocksSeen crowded = new LocksSeen();
    this.grabs = new Grabs(database, options.backend(), reader, crowded);
    this.releases = new Releases(crowded);
    this.downgrades = new Downgrades(reader, crowded);
    this.revocations = new Revocations(reader);
    this.idleRecords = new IdleRecords(database.dialect(), options.idle());
  }

  /** Returns the channel on which a session is told to look. */
  public static String channel(SessionId session) {
    return CHANNEL + session.value();
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
    return grabs.grab(connection, request);
  }

  @Override
  public Attempt overtake(DatabaseConnection connection, Request request, Observed head)
      throws SQLException {
    return grabs.overtake(connection, request, head);
  }

  @Override
  public Released release(DatabaseConnection connection, LockName name, RequestId request)
      throws SQLException {
    return releases.release(connection, name, request);
  }

  @Override
  public Released releaseAfter(DatabaseConnection connection, RequestKey key, Duration stay)
      throws SQLException {
    return releases.releaseAfter(connection, key, stay);
  }

  @Override
  public OptionalLong downgrade(DatabaseConnection connection, RequestKey key) throws SQLException {
    return downgrades.downgrade(connection, key);
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
    return Standings.look(connection, session, requests);
  }

  @Override
  public Optional<LockRecord> inspect(DatabaseConnection connection, LockName name, int waiters)
      throws SQLException {
    return Records.inspect(connection, name, waiters);
  }

  @Override
  public Sighting see(DatabaseConnection connection, LockName name, int waiters)
      throws SQLException {
    return Records.see(connection, name, waiters);
  }

  @Override
  public Optional<List<Waiter>> waitersBehind(
      DatabaseConnection connection, LockName name, RequestId after, int limit)
      throws SQLException {
    return Records.waitersBehind(connection, name, after, limit);
  }

  @Override
  public List<LockRecord> list(
      DatabaseConnection connection, String prefix, Optional<LockName> after, int limit)
      throws SQLException {
    return Records.list(connection, prefix, after, limit);
  }

  @Override
  public List<RequestKey> requestsOf(DatabaseConnection connection, SessionId session)
      throws SQLException {
    return Records.requestsOf(connection, session);
  }

  @Override
  public int sweep(DatabaseConnection connection) throws SQLException {
    return idleRecords.sweep(connection);
  }
}
