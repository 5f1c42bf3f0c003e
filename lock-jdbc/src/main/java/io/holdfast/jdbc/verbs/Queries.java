package io.holdfast.jdbc.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.QueueTextDatabase;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.database.SessionRow;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.spi.Contention;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Standing;
import io.holdfast.spi.support.QueueText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The verbs that read: look, inspect and list. */
final class Queries {

  /** How many locks are read at once. */
  private static final int BATCH = 500;

  /** How many of those nearest to the head are judged; the others have time. */
  private static final int JUDGED_MAX = 32;

  /** Greater than every byte of UTF-8, so that a prefix and this is above all that begins so. */
  private static final byte ABOVE = (byte) 0xff;

  private final QueueTextDialect dialect;

  private record QueueRow(
      LockName name, long number, long since, long revoked, String queue, long now) {

    static QueueRow read(ResultSet row) throws SQLException {
      return new QueueRow(
          new LockName(new String(row.getBytes("name"), UTF_8)),
          row.getLong("number"),
          row.getLong("since"),
          row.getLong("revoked"),
          row.getString("queue"),
          row.getLong("now"));
    }

    /**
     * Returns the requests before one, nearest to the head first, as far as they are judged: the
     * first ones, and the last.
     */
    List<RequestId> ahead(RequestId request) {
      String before = queue.substring(0, position(request));
      List<RequestId> ahead = QueueText.requests(before, JUDGED_MAX);
      RequestId next = QueueText.last(before);
      if (!ahead.get(ahead.size() - 1).equals(next)) {
        ahead.add(next);
      }
      return ahead;
    }

    /** Returns when a request was revoked; 0 if it was not. */
    long revoked(RequestId request) {
      return position(request) == 0 ? revoked : 0;
    }

    int waiting() {
      return QueueText.countBefore(queue, queue.length()) - 1;
    }

    /** Returns where in the queue's text a request stands; -1 if it does not, 0 if it holds. */
    int position(RequestId request) {
      return queue.indexOf(QueueText.mark(request));
    }
  }

  /** The sessions that were asked for and exist, and the store's clock. */
  private record Judged(Map<String, SessionRow> sessions, SessionRow.Clock clock) {

    Liveness judge(RequestId request, long revoked) {
      return clock.judge(sessions.get(request.session().value()), revoked);
    }

    Optional<Duration> dueIn(RequestId request, long revoked) {
      return clock.dueIn(sessions.get(request.session().value()), revoked);
    }
  }

  Queries(QueueTextDatabase database) {
    this.dialect = database.dialect();
  }

  List<Standing> look(DatabaseConnection connection, SessionId session, List<RequestKey> requests)
      throws SQLException {
    List<Standing> answers = new ArrayList<>(requests.size());
    for (int from = 0; from < requests.size(); from += BATCH) {
      answers.addAll(
          lookBatch(
              connection,
              session,
              requests.subList(from, Math.min(from + BATCH, requests.size()))));
    }
    return answers;
  }

  private List<Standing> lookBatch(
      DatabaseConnection connection, SessionId session, List<RequestKey> requests)
      throws SQLException {
    Map<LockName, QueueRow> rows = queues(connection, session, requests);
    Set<String> sessions = new LinkedHashSet<>();
    for (RequestKey key : requests) {
      @Nullable QueueRow row = rows.get(key.name());
      if (row != null && row.position(key.request()) > 0) {
        row.ahead(key.request()).forEach(request -> sessions.add(request.session().value()));
      }
    }
    // After the queues: a session that is missing now was not alive when its request was read, or
    // has been ended since, and either is final.
    Judged judged =
        sessions.isEmpty()
            ? new Judged(Map.of(), new SessionRow.Clock(0, 0))
            : sessions(connection, sessions);
    List<Standing> answers = new ArrayList<>(requests.size());
    for (RequestKey key : requests) {
      answers.add(standing(rows.get(key.name()), key.request(), judged));
    }
    return answers;
  }

  private Map<LockName, QueueRow> queues(
      DatabaseConnection connection, SessionId session, List<RequestKey> requests)
      throws SQLException {
    List<String> names = requests.stream().map(key -> hex(key.name().bytes())).distinct().toList();
    Map<LockName, QueueRow> rows = new HashMap<>();
    for (QueueRow row :
        connection.read(
            dialect.queues(),
            Map.of("names", dialect.names(names), "session", session.value()),
            QueueRow::read)) {
      rows.put(row.name(), row);
      if (row.revoked() > row.now()) {
        // The clock was set back since: without this the mark would be due an hour late, not a TTL.
        connection.change(dialect.restampRevoked(), Map.of("name", row.name().bytes()));
      }
    }
    return rows;
  }

  private Judged sessions(DatabaseConnection connection, Collection<String> ids)
      throws SQLException {
    Map<String, SessionRow> found = new HashMap<>();
    List<SessionRow.Clock> clocks =
        connection.read(
            dialect.sessions(),
            Map.of("sessions", dialect.sessions(ids)),
            row -> {
              @Nullable SessionRow session = SessionRow.read(row);
              if (session != null) {
                found.put(row.getString("id"), session);
              }
              return SessionRow.Clock.read(row);
            });
    if (clocks.isEmpty()) {
      throw new SQLException("The settings of the namespace are gone.");
    }
    return new Judged(found, clocks.get(0));
  }

  private static Standing standing(@Nullable QueueRow row, RequestId request, Judged judged) {
    int position = row == null ? -1 : row.position(request);
    if (row == null || position < 0) {
      return new Standing.Absent();
    }
    if (position == 0) {
      return new Standing.Holding(
          row.number(), StoreTime.instant(row.since()), Contention.of(row.waiting()));
    }
    List<RequestId> ahead = row.ahead(request);
    Observed head = new Observed(row.name(), row.number(), ahead.get(0));
    List<Obstacle> obstacles = new ArrayList<>();
    for (RequestId other : ahead) {
      Liveness liveness = judged.judge(other, row.revoked(other));
      if (liveness != Liveness.LIVE) {
        obstacles.add(new Obstacle(head, other, liveness));
      }
    }
    RequestId next = ahead.get(ahead.size() - 1);
    return new Standing.Waiting(
        QueueText.countBefore(row.queue(), position),
        obstacles,
        judged.dueIn(next, row.revoked(next)));
  }

  Optional<LockRecord> inspect(DatabaseConnection connection, LockName name) throws SQLException {
    return connection
        .read(
            dialect.standing(),
            Map.of("name", name.bytes(), "session", ""),
            row ->
                row.getBytes("name") == null
                    ? Optional.<LockRecord>empty()
                    : Optional.of(RecordRow.read(row).toRecord()))
        .stream()
        .flatMap(Optional::stream)
        .findFirst();
  }

  List<LockRecord> list(
      DatabaseConnection connection, String prefix, Optional<LockName> after, int limit)
      throws SQLException {
    byte[] begin = LockName.utf8("The prefix", prefix);
    byte[] high = Arrays.copyOf(begin, begin.length + 1);
    high[begin.length] = ABOVE;
    byte[] low = after.map(Queries::successor).orElse(begin);
    Map<String, Object> parameters =
        Map.of(
            "low",
            Arrays.compareUnsigned(low, begin) > 0 ? low : begin,
            "high",
            high,
            "limit",
            limit);
    return connection.read(dialect.list(), parameters, RecordRow::read).stream()
        .map(RecordRow::toRecord)
        .toList();
  }

  /** Returns the least of the bytes that come after a name. */
  private static byte[] successor(LockName name) {
    byte[] bytes = name.bytes();
    return Arrays.copyOf(bytes, bytes.length + 1);
  }

  /** Returns a name as it is given to {@link QueueTextDialect#names}. */
  static String hex(byte[] name) {
    return HexFormat.of().formatHex(name);
  }
}
