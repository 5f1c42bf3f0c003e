package io.holdfast.jdbc.verbs;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a request stands as far as the lock's row alone tells: enough for a hint, and not for an
 * answer, since no session is judged.
 *
 * @param waits whether it stands in the queue and does not hold
 * @param isNext whether it is the first of those who wait
 * @param number the number of the present grant
 * @param holders the entries that hold, with their stays; empty unless it is the first
 */
public record Glance(boolean waits, boolean isNext, long number, String holders) {

  /** Of a request that waits, as far as is known. */
  public static final Glance UNREAD = new Glance(true, false, 0, "");

  /** How many locks are read at once. */
  private static final int BATCH = 500;

  private static final int CONCERNED_MAX = 64;

  private static final Glance GONE = new Glance(false, false, 0, "");

  /** Reads how requests stand, by one cheap statement for many. */
  public static Map<RequestKey, Glance> at(
      DatabaseConnection connection, QueueTextDialect dialect, Collection<RequestKey> requests)
      throws SQLException {
    List<RequestKey> all = List.copyOf(requests);
    Map<RequestKey, Glance> glances = new HashMap<>();
    for (int from = 0; from < all.size(); from += BATCH) {
      List<RequestKey> some = all.subList(from, Math.min(from + BATCH, all.size()));
      Map<LockName, LockRow> locks = new HashMap<>();
      read(connection, dialect, some.stream().map(RequestKey::name).distinct().toList())
          .forEach(lock -> locks.put(lock.name(), lock));
      for (RequestKey key : some) {
        @Nullable LockRow lock = locks.get(key.name());
        glances.put(key, lock == null ? GONE : of(lock, key.request()));
      }
    }
    return glances;
  }

  private static List<LockRow> read(
      DatabaseConnection connection, QueueTextDialect dialect, List<LockName> names)
      throws SQLException {
    List<String> texts =
        names.stream().map(name -> HexFormat.of().formatHex(name.bytes())).toList();
    return connection.read(dialect.glance(), Map.of("names", dialect.names(texts)), LockRow::read);
  }

  /**
   * Reads which sessions are concerned by what has become of a lock: those that hold, the first of
   * them if there are very many, and the first that waits.
   */
  public static Set<SessionId> concerned(
      DatabaseConnection connection, QueueTextDialect dialect, LockName name) throws SQLException {
    Set<SessionId> sessions = new LinkedHashSet<>();
    for (LockRow lock : read(connection, dialect, List.of(name))) {
      lock.concerned().stream().limit(CONCERNED_MAX).forEach(sessions::add);
    }
    return sessions;
  }

  private static Glance of(LockRow lock, RequestId request) {
    if (!lock.hasQueued(request)) {
      return GONE;
    }
    return lock.isNext(request)
        ? new Glance(true, true, lock.number(), lock.queue().substring(0, lock.held()))
        : new Glance(true, false, lock.number(), "");
  }

  /**
   * Returns whether its client has reason to look: it waits no more, or it is the first that waits,
   * and those that hold still hold, but for another time than before.
   */
  public boolean isNewsAfter(Glance before) {
    return !waits
        || (isNext && before.isNext && number == before.number && !holders.equals(before.holders));
  }
}
