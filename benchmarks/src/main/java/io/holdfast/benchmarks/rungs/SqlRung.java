package io.holdfast.benchmarks.rungs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import io.holdfast.benchmarks.contender.Party;
import io.holdfast.benchmarks.rungs.SqlStep.Change;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.LockDatabase.Options;
import io.holdfast.jdbc.database.LockVerbs;
import io.holdfast.jdbc.verbs.QueueTexts;
import io.holdfast.jdbc.verbs.Sessions;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Request;
import io.holdfast.spi.SessionSpec;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The two statements of a step, executed bare over a connection that is set up as the adapter's
 * are, on tables that the adapter has made, under names of the ladder's own.
 *
 * @param name as in tables
 * @param database makes the adapter's database
 */
record SqlRung(String name, Supplier<LockDatabase> database, SqlStep step) implements Contender {

  /** What the tables' names begin with. */
  static final String PREFIX = "rung_";

  private static final ProcessIdentity PROCESS = ProcessIdentity.ofThisProcess();
  private static final String EXCLUSIVE = "x";

  /** The serial number of the request that has the row made; those of the pairs follow. */
  private static final long FIRST = 1;

  /** As it stands in the text of a queue, with the end of an entry that says nothing else. */
  private static final String PROCESS_AND_NO_MORE =
      Base64.getUrlEncoder().withoutPadding().encodeToString(PROCESS.value().getBytes(UTF_8))
          + ",,,,;";

  @Override
  public Role role() {
    return Role.PEER;
  }

  @Override
  public String settings() {
    return "a connection for each thread, set up as the adapter's, prepared once";
  }

  @Override
  public OpenContender open(int threads) {
    LockDatabase opened = database.get();
    List<DatabaseConnection> connections = new CopyOnWriteArrayList<>();
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) throws SQLException {
        DatabaseConnection connection = opened.open(Deadline.in(Party.CALL));
        connections.add(connection);
        return SqlRung.this.pair(opened, connection, new LockName(name + "-" + lock));
      }

      @Override
      public void close() {
        connections.forEach(DatabaseConnection::giveBack);
        opened.close();
      }
    };
  }

  private LockPair pair(LockDatabase opened, DatabaseConnection connection, LockName lock)
      throws SQLException {
    SessionId session = SessionId.fresh();
    connection.begin(Deadline.in(Party.CALL));
    new Sessions(opened, NamespaceWish.NONE)
        .open(connection, new SessionSpec(session, Party.TTL, 0, PROCESS));
    makeRow(opened, connection, Request.of(lock, new RequestId(session, FIRST), PROCESS));

    Map<String, Object> fixed = new HashMap<>(opened.originParameters(connection.origin()));
    fixed.put("name", lock.bytes());
    fixed.put("owner", "owner");
    fixed.put("session", session.value());
    fixed.put("guard", 1);
    fixed.put("mode", EXCLUSIVE);
    fixed.put("process", PROCESS.value());
    fixed.put("why", new byte[0]);
    fixed.put("payload", new byte[0]);
    fixed.put("delay", 0L);
    return pair(
        session,
        call(opened, connection, step.take(), fixed),
        call(opened, connection, step.leave(), fixed));
  }

  /** A lock that was given back has a row that is free. */
  private static void makeRow(LockDatabase opened, DatabaseConnection connection, Request request)
      throws SQLException {
    Options options = new Options(BackendOptions.DEFAULTS, Duration.ofDays(1));
    LockVerbs verbs = opened.verbs(options, texts -> new QueueTexts(texts, options));
    verbs.grab(connection, request);
    verbs.release(connection, request.name(), request.id());
  }

  private static SqlCall call(
      LockDatabase opened, DatabaseConnection connection, Change change, Map<String, ?> fixed)
      throws SQLException {
    return new SqlCall(connection.jdbc(), opened.compiled(change.text()), change, fixed);
  }

  private static LockPair pair(SessionId session, SqlCall take, SqlCall leave) {
    boolean tellsRequest = take.isOfRequest() || leave.isOfRequest();
    return new LockPair() {
      private long serial = FIRST;

      @Override
      public void takeAndGiveBack() throws SQLException {
        Map<String, String> request =
            tellsRequest ? texts(session.value() + '-' + ++serial) : Map.of();
        take.change(request);
        leave.change(request);
      }
    };
  }

  /** Returns the texts of a request as the adapters make them for each. */
  private static Map<String, String> texts(String request) {
    String mark = "!" + request + ",";
    return Map.of(
        "request", request,
        "leaver", request,
        "mark", mark,
        "entry", EXCLUSIVE + mark + PROCESS_AND_NO_MORE);
  }
}
