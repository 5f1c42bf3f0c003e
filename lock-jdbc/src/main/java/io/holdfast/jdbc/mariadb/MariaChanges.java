package io.holdfast.jdbc.mariadb;

import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.ChangeSource;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * A watch sleeps at the server, and the client that hands a lock over ends its sleep. It is found
 * by a lock of {@code GET_LOCK} that its connection has for each of its sessions, which ends with
 * the connection: so nothing is remembered that may mean another connection by now. A connection
 * that takes such a lock for itself is woken itself. A user may do that to its own connections.
 */
final class MariaChanges implements ChangeSource {

  static final String BELL = "concat('holdfast:', :session)";

  private static final String WAKE = "KILL QUERY IS_USED_LOCK(" + BELL + ")";

  /** There is no such connection; or it is another user's, whose waiters are not told. */
  private static final Set<Integer> NOBODY = Set.of(1094, 1095);

  @Override
  public Watch watch(DatabaseConnection own) {
    return new MariaWatch(own);
  }

  @Override
  public boolean isWoken() {
    return true;
  }

  @Override
  public void wake(DatabaseConnection connection, Collection<SessionId> sessions)
      throws SQLException {
    for (SessionId session : sessions) {
      try {
        connection.change(WAKE, Map.of("session", session.value()));
      } catch (SQLException e) {
        if (!NOBODY.contains(e.getErrorCode())) {
          throw e;
        }
      }
    }
  }
}
