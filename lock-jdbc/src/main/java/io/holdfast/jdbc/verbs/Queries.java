package io.holdfast.jdbc.verbs;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.NameRange;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.jdbc.verbs.LockReader.Seen;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Standing;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The verbs that read: look, inspect and list, and the search for a session's requests. */
final class Queries {

  /** How many locks are read at once. */
  private static final int BATCH = 500;

  /** How many locks are searched for a session at once. */
  private static final int PAGE = 100;

  private final LockReader reader;
  private final EntryChanges entries;

  Queries(LockReader reader, EntryChanges entries) {
    this.reader = reader;
    this.entries = entries;
  }

  List<Standing> look(DatabaseConnection connection, SessionId session, List<RequestKey> requests)
      throws SQLException {
    List<Standing> answers = new ArrayList<>(requests.size());
    for (int from = 0; from < requests.size(); from += BATCH) {
      int to = Math.min(from + BATCH, requests.size());
      answers.addAll(lookBatch(connection, session, requests.subList(from, to)));
    }
    return answers;
  }

  private List<Standing> lookBatch(
      DatabaseConnection connection, SessionId session, List<RequestKey> requests)
      throws SQLException {
    List<String> names = requests.stream().map(key -> hex(key.name().bytes())).distinct().toList();
    Map<LockName, LockRow> locks = new HashMap<>();
    reader.queues(connection, session, names).forEach(lock -> locks.put(lock.name(), lock));
    Map<RequestKey, Place> waiting = new HashMap<>();
    for (RequestKey key : requests) {
      @Nullable LockRow lock = locks.get(key.name());
      if (lock != null && lock.hasQueued(key.request())) {
        waiting.put(key, Place.of(lock, key.request()));
      }
    }
    Judge judge = judge(connection, waiting.values());
    for (Place place : waiting.values()) {
      entries.beginAnew(connection, place.lock(), judge);
    }
    Map<LockName, LockRow> later = new HashMap<>();
    if (waiting.values().stream().anyMatch(place -> place.mayHaveHeld(judge))) {
      reader.queues(connection, session, names).forEach(lock -> later.put(lock.name(), lock));
    }
    return requests.stream()
        .map(
            key -> {
              @Nullable Place place = waiting.get(key);
              return place == null
                  ? standing(locks.get(key.name()), key.request())
                  : place.standing(judge, Optional.ofNullable(later.get(key.name())));
            })
        .toList();
  }

  private Judge judge(DatabaseConnection connection, Collection<Place> waiting)
      throws SQLException {
    Set<String> sessions = new LinkedHashSet<>();
    for (Place place : waiting) {
      place.judged().forEach(entry -> sessions.add(entry.session()));
    }
    return sessions.isEmpty() ? Judge.NOBODY : reader.judge(connection, sessions);
  }

  /** Returns how a request stands that does not wait. */
  private static Standing standing(@Nullable LockRow lock, RequestId request) {
    return lock != null && lock.isHeldBy(request)
        ? new Standing.Holding(
            lock.number(),
            StoreTime.instant(lock.since()),
            Contention.of(lock.waiting()),
            lock.isShared() ? LockMode.SHARED : LockMode.EXCLUSIVE)
        : new Standing.Absent();
  }

  Optional<LockRecord> inspect(DatabaseConnection connection, LockName name) throws SQLException {
    return reader.inspect(connection, name).map(Seen::toRecord);
  }

  List<LockRecord> list(
      DatabaseConnection connection, String prefix, Optional<LockName> after, int limit)
      throws SQLException {
    return reader.list(connection, NameRange.parameters(prefix, after, limit)).stream()
        .map(Seen::toRecord)
        .toList();
  }

  /** Reads page by page: a queue may have half a million characters. */
  List<RequestKey> requestsOf(DatabaseConnection connection, SessionId session)
      throws SQLException {
    List<RequestKey> found = new ArrayList<>();
    List<LockRow> page;
    Optional<LockName> last = Optional.empty();
    do {
      page = reader.queuesWith(connection, session, last, PAGE);
      page.forEach(lock -> found.addAll(lock.requestsOf(session)));
      last = page.isEmpty() ? last : Optional.of(page.get(page.size() - 1).name());
    } while (page.size() == PAGE);
    return found;
  }

  /** Returns a name as it is given to {@link QueueTextDialect#names}. */
  static String hex(byte[] name) {
    return HexFormat.of().formatHex(name);
  }
}
