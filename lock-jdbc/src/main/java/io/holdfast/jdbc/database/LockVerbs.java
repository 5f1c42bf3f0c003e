package io.holdfast.jdbc.database;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.connections.DatabaseConnection;
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

/**
 * The verbs on locks, as {@link io.holdfast.spi.LockBackend} describes them, over one connection.
 * How a queue lies in the tables is known here and nowhere else.
 */
public interface LockVerbs {

  /** Returns the modes in which its locks can be held. */
  default Set<LockMode> modes() {
    return Set.of(LockMode.EXCLUSIVE);
  }

  /** Returns the stays that it can keep. */
  default Set<Stays> stays() {
    return Set.of();
  }

  Attempt grab(DatabaseConnection connection, Request request) throws SQLException;

  Attempt overtake(DatabaseConnection connection, Request request, Observed head)
      throws SQLException;

  Released release(DatabaseConnection connection, LockName name, RequestId request)
      throws SQLException;

  /** Called only where {@link #stays} has {@link Stays#AT_LEAST}. */
  default Released releaseAfter(DatabaseConnection connection, RequestKey key, Duration stay)
      throws SQLException {
    throw new BadRequestException("These locks cannot be held for a least time.");
  }

  /** Called only where {@link #modes} has shared mode. */
  default OptionalLong downgrade(DatabaseConnection connection, RequestKey key)
      throws SQLException {
    throw new BadRequestException("These locks have no shared mode.");
  }

  Revocation revoke(DatabaseConnection connection, Observed head, RevokeWhen when)
      throws SQLException;

  /** Called only where {@link #stays} has {@link Stays#REVOKE_LATER}. */
  default Revocation revokeIn(DatabaseConnection connection, Observed head, Duration notice)
      throws SQLException {
    throw new BadRequestException("Holders of these locks cannot be given notice.");
  }

  List<Standing> look(DatabaseConnection connection, SessionId session, List<RequestKey> requests)
      throws SQLException;

  /** Reads no more than the first {@code waiters} of those who wait where it can. */
  Optional<LockRecord> inspect(DatabaseConnection connection, LockName name, int waiters)
      throws SQLException;

  /** Reads a lock with its place in the order of its states, which the number alone may tell. */
  default Sighting see(DatabaseConnection connection, LockName name, int waiters)
      throws SQLException {
    return Sighting.of(
        inspect(connection, name, waiters).orElseGet(() -> LockRecord.unknown(name)));
  }

  /** Returns those who wait behind a request that waits; empty if it does not. */
  Optional<List<Waiter>> waitersBehind(
      DatabaseConnection connection, LockName name, RequestId after, int limit) throws SQLException;

  List<LockRecord> list(
      DatabaseConnection connection, String prefix, Optional<LockName> after, int limit)
      throws SQLException;

  /**
   * Finds all requests of a session that hold or wait, in all queues. A request that stays without
   * a session is of none.
   */
  List<RequestKey> requestsOf(DatabaseConnection connection, SessionId session) throws SQLException;

  /** Deletes free records and heads without a session; returns how many it has changed. */
  int sweep(DatabaseConnection connection) throws SQLException;
}
