package io.holdfast.jdbc.mariadb;

import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.ChangeSource;
import io.holdfast.spi.Deadline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A connection that sleeps at the server until it is woken. */
final class MariaWatch implements ChangeSource.Watch {

  private static final String HANG = "SELECT GET_LOCK(" + MariaChanges.BELL + ", 0) AS had";

  private static final String TAKE_DOWN = "SELECT RELEASE_LOCK(" + MariaChanges.BELL + ") AS had";

  private static final String SLEEP = "SELECT SLEEP(:seconds) AS woken";

  private static final int INTERRUPTED = 1317;

  /** A call that wakes it while it does not sleep is lost. */
  private static final Duration BRISK = Duration.ofMillis(5);

  /** It need not have been woken: a holder may be another user of the server. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);

  /** Longer than it takes from finding whom to wake to waking it, in one statement. */
  private static final Duration ARRIVES_WITHIN = Duration.ofMillis(100);

  private final DatabaseConnection own;
  private final Set<SessionId> bells = new HashSet<>();

  /** Those that it may have taken: a statement that was ended may have been carried out before. */
  private final Set<SessionId> taken = new HashSet<>();

  MariaWatch(DatabaseConnection own) {
    this.own = own;
    own.restoreWith(this::leave);
  }

  @Override
  public void listen(Set<SessionId> sessions) throws SQLException {
    for (SessionId session : sessions) {
      if (!bells.contains(session)) {
        taken.add(session);
        if (has(HANG, session)) {
          bells.add(session);
        }
      }
    }
    for (SessionId gone : Set.copyOf(taken)) {
      if (!sessions.contains(gone)) {
        takeDown(gone);
      }
    }
  }

  /** As often as it was taken: so many times it has to be released. */
  private void takeDown(SessionId session) throws SQLException {
    bells.remove(session);
    boolean mayBeThere = true;
    while (mayBeThere) {
      mayBeThere = has(TAKE_DOWN, session);
    }
    taken.remove(session);
  }

  /** No statement of the connection's next user may be ended by a call that wakes it. */
  private void leave() throws SQLException {
    own.begin(Deadline.in(ANSWER_MAX));
    while (!taken.isEmpty()) {
      try {
        takeDown(taken.iterator().next());
      } catch (SQLException e) {
        requireWoken(e);
      }
    }
    boolean isWoken = true;
    while (isWoken) {
      isWoken = await(ARRIVES_WITHIN);
    }
  }

  private boolean has(String statement, SessionId session) throws SQLException {
    return own.read(statement, Map.of("session", session.value()), row -> row.getBoolean("had"))
        .contains(true);
  }

  /** To find out costs as much as to read it. */
  @Override
  public boolean hasChanged() {
    return true;
  }

  @Override
  public Duration brisk() {
    return BRISK;
  }

  @Override
  public Duration longestPause() {
    return LONGEST_PAUSE;
  }

  @Override
  public boolean await(Duration atMost) throws SQLException {
    own.begin(Deadline.in(atMost.plus(ANSWER_MAX)));
    try {
      String seconds = Double.toString(atMost.toNanos() / 1e9);
      return own.read(SLEEP, Map.of("seconds", seconds), row -> row.getBoolean("woken"))
          .contains(true);
    } catch (SQLException e) {
      requireWoken(e);
      return true;
    }
  }

  private static void requireWoken(SQLException failure) throws SQLException {
    if (failure.getErrorCode() != INTERRUPTED) {
      throw failure;
    }
  }

  /** Its sleep is short, and the thread that ends the watch ends that. */
  @Override
  public void close() {}
}
