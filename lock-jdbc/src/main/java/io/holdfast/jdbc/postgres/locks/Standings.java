package io.holdfast.jdbc.postgres.locks;

import io.holdfast.SessionId;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Standing;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The verb by which a session asks how its requests stand. */
final class Standings {

  /** How many requests are looked at by one statement. */
  private static final int BATCH = 500;

  /** How many of those at the front are judged if the first one is dead. */
  private static final int JUDGED_MAX = 32;

  private Standings() {}

  static List<Standing> look(
      DatabaseConnection connection, SessionId session, List<RequestKey> requests)
      throws SQLException {
    List<Standing> answers = new ArrayList<>(requests.size());
    for (int from = 0; from < requests.size(); from += BATCH) {
      int to = Math.min(from + BATCH, requests.size());
      answers.addAll(lookBatch(connection, session, requests.subList(from, to)));
    }
    return answers;
  }

  private static List<Standing> lookBatch(
      DatabaseConnection connection, SessionId session, List<RequestKey> requests)
      throws SQLException {
    List<Standing> answers =
        new ArrayList<>(Collections.nCopies(requests.size(), new Standing.Absent()));
    Map<String, Object> parameters =
        Map.of(
            "session", session.value(),
            "names", array(requests, key -> HexFormat.of().formatHex(key.name().bytes())),
            "requests", array(requests, key -> key.request().toString()));
    for (LookRow row : rows(connection, parameters)) {
      if (Judged.isDoubtful(row.holders())) {
        // Without this a stay of before a change of the clock would not be over after its time.
        StayChanges.beginAnew(connection, row.name());
      }
      RequestId request = requests.get(row.place()).request();
      answers.set(
          row.place(), row.holds() ? holding(row) : waiting(row, ahead(connection, row, request)));
    }
    return answers;
  }

  private static Collection<LookRow> rows(
      DatabaseConnection connection, Map<String, Object> parameters) throws SQLException {
    Map<Integer, LookRow> rows = new LinkedHashMap<>();
    connection
        .read(LookStatements.LOOK, parameters, LookRow::read)
        .forEach(row -> rows.merge(row.place(), row, LookRow::and));
    return rows.values();
  }

  /** Returns the text of an array whose texts need no escaping. */
  private static String array(List<RequestKey> requests, Function<RequestKey, String> text) {
    return requests.stream().map(text).collect(Collectors.joining(",", "{", "}"));
  }

  private static Standing holding(LookRow row) {
    return new Standing.Holding(
        row.number(), row.since(), Contention.of(row.isContended() ? 1 : 0), row.mode());
  }

  /**
   * Returns those ahead of a request as far as they are judged, the nearest to the head first: the
   * holders, the waiters up to the first that lives, and the one directly ahead.
   */
  private static List<Judged> ahead(DatabaseConnection connection, LookRow row, RequestId request)
      throws SQLException {
    List<Judged> ahead = new ArrayList<>(row.holders());
    if (!row.isFrontUnknown()) {
      ahead.addAll(row.waiting());
      return ahead;
    }
    for (Judged waiter : front(connection, row, request)) {
      if (waiter.counts()) {
        break;
      }
      ahead.add(waiter);
    }
    row.next()
        .filter(next -> ahead.stream().noneMatch(other -> other.request().equals(next.request())))
        .ifPresent(ahead::add);
    return ahead;
  }

  private static List<Judged> front(DatabaseConnection connection, LookRow row, RequestId request)
      throws SQLException {
    return connection.read(
        LookStatements.FRONT,
        Map.of("name", row.name().bytes(), "request", request.toString(), "limit", JUDGED_MAX),
        Judged::read);
  }

  private static Standing waiting(LookRow row, List<Judged> ahead) {
    return new Standing.Waiting(
        row.ahead(),
        ahead.stream().filter(other -> !other.counts()).map(dead -> obstacle(row, dead)).toList(),
        row.next().map(Judged::due).orElseGet(() -> Judged.firstDue(row.holders())));
  }

  private static Obstacle obstacle(LookRow row, Judged dead) {
    Judged holder =
        row.holders().contains(dead) ? dead : row.holders().stream().findFirst().orElse(dead);
    return new Obstacle(
        new Observed(row.name(), row.number(), holder.request()), dead.request(), dead.liveness());
  }
}
