package io.holdfast.jdbc;

import static io.holdfast.jdbc.fixtures.LockFile.observed;
import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.LockMode;
import io.holdfast.SessionId;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.jdbc.h2.H2TestDatabase;
import io.holdfast.jdbc.mariadb.MariaSchema;
import io.holdfast.jdbc.pools.Pools;
import io.holdfast.jdbc.postgres.PostgresSchema;
import io.holdfast.jdbc.sqlite.SqliteSettings;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.testing.mariadb.MariaServer;
import io.holdfast.testing.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class StatementsPerVerbTest {

  private static final Logger LOG = LoggerFactory.getLogger(StatementsPerVerbTest.class);

  private static final int HAND_OVERS_MAX = 5;

  @TempDir private Path directory;

  /** How many statements the database has executed, those of the counting itself left out. */
  private IntSupplier executed = () -> 0;

  private int count(String verb, Runnable call) {
    int before = executed.getAsInt();
    call.run();
    int statements = executed.getAsInt() - before;
    LOG.info("{}: {} statement(s)", verb, statements);
    return statements;
  }

  /** Inside our own process, so there is no other place to count. */
  @Test
  void verbsTakeAsManyStatementsAsTheyMayOnSqlite() {
    AtomicInteger sent = new AtomicInteger();
    executed = sent::get;
    try (LockFile file = LockFile.in(directory)) {
      countAll(
          file.backend(SqliteSettings.standard().onStatement(text -> sent.incrementAndGet())),
          QUEUE_TEXT);
    }
  }

  /** The short statements are tried again only when the lock was left free again. */
  @Test
  void whereALockThatWasLeftFreeIsNotFreeAStatementMoreIsTakenOnce() {
    AtomicInteger sent = new AtomicInteger();
    executed = sent::get;
    try (LockFile file = LockFile.in(directory)) {
      LockBackend backend =
          file.backend(SqliteSettings.standard().onStatement(text -> sent.incrementAndGet()));
      LockBackend elsewhere = file.backend(SqliteSettings.standard());
      SessionId mine = session(backend);
      SessionId other = session(elsewhere);
      leaveFree(backend, mine);
      Request taken = request(other, "a", IfHeld.REFUSE);
      take(elsewhere, taken);
      Request refused = request(mine, "a", IfHeld.REFUSE);

      assertThat(count("refused grab", () -> backend.grab(refused, soon()))).isEqualTo(3);
      assertThat(count("refused again", () -> backend.grab(refused, soon()))).isEqualTo(2);

      elsewhere.release(taken.name(), taken.id(), soon());
      leaveFree(backend, mine);
      Request held = request(mine, "a", IfHeld.QUEUE);
      assertThat(count("grab", () -> take(backend, held))).isEqualTo(1);
      Request waits = request(other, "a", IfHeld.QUEUE);
      elsewhere.grab(waits, soon());
      assertThat(count("hand over", () -> backend.release(held.name(), held.id(), soon())))
          .isEqualTo(2);
      assertThat(elsewhere.grab(waits, soon())).isInstanceOf(Attempt.Granted.class);
    }
  }

  private static void leaveFree(LockBackend backend, SessionId session) {
    Request request = request(session, "a", IfHeld.QUEUE);
    take(backend, request);
    backend.release(request.name(), request.id(), soon());
  }

  /** As in SQLite: this process is the database. */
  @Test
  void verbsTakeAsManyStatementsAsTheyMayOnH2() {
    AtomicInteger sent = new AtomicInteger();
    executed = sent::get;
    try (H2TestDatabase place = H2TestDatabase.in(directory)) {
      countAll(
          place.backend(
              ServerSettings.standard().onStatement(text -> sent.incrementAndGet()),
              BackendOptions.DEFAULTS),
          QUEUE_TEXT);
    }
  }

  @Test
  @Tag("server")
  void verbsTakeAsManyStatementsAsTheyMayOnPostgres() throws SQLException {
    onPostgres(
        schema -> {
          LockBackend backend = schema.backend();
          awaitConnected(() -> connections(schema));
          countAll(backend, QUEUE_TABLE);

          assertThat(executions(schema, "%current_setting(wanted.name%"))
              .as("connections")
              .isGreaterThan(1);
          assertThat(executions(schema, "%pg_attribute%")).as("looks for the tables").isEqualTo(1);
        });
  }

  private static int executions(PostgresSchema schema, String like) {
    return Integer.parseInt(
        schema.text(
            "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE query LIKE '%s' AND query NOT LIKE '%%pg_stat_statements%%'"
                .formatted(like)));
  }

  @Test
  @Tag("server")
  void thoseWhoShareTakeOneStatementEachOnPostgres() throws SQLException {
    onPostgres(
        schema -> {
          LockBackend backend = schema.backend();
          awaitConnected(() -> connections(schema));
          SessionId mine = session(backend);
          SessionId other = session(backend);
          Request writer = request(mine, "a", IfHeld.QUEUE);
          Request reader = request(other, "a", IfHeld.QUEUE).with(LockMode.SHARED);
          take(backend, writer);
          awaitQuiet();

          assertThat(count("downgrade", () -> backend.downgrade(writer.key(), soon())))
              .isEqualTo(1);
          assertThat(count("join of a run", () -> backend.grab(reader, soon()))).isEqualTo(1);
          assertThat(
                  count("leave a run", () -> backend.release(writer.name(), writer.id(), soon())))
              .isEqualTo(1);
          assertThat(
                  count(
                      "release that stays",
                      () -> backend.releaseAfter(reader.key(), Duration.ofHours(1), soon())))
              .isEqualTo(1);
        });
  }

  /** What is asked about a connection each time it is borrowed, and set back after it. */
  @Test
  @Tag("server")
  void aConnectionThatIsBorrowedForACallCostsFewStatements() throws SQLException {
    onPostgres(
        schema -> {
          HikariConfig config = new HikariConfig();
          config.setJdbcUrl(schema.uri());
          config.setMaximumPoolSize(JdbcLocks.CONNECTIONS);
          try (HikariDataSource source = new HikariDataSource(config);
              LockBackend backend = JdbcLocks.on(source).connect(BackendOptions.DEFAULTS, soon())) {
            SessionId mine = session(backend);
            Request request = request(mine, "a", IfHeld.QUEUE);
            awaitQuiet();

            assertThat(
                    count("grab over a borrowed connection", () -> backend.grab(request, soon())))
                .isLessThanOrEqualTo(1 + 4);
            assertThat(count("renew over a kept one", () -> backend.renew(mine, soon())))
                .isEqualTo(1);
          }
        });
  }

  /** Does something on a server that counts the statements. */
  private void onPostgres(Consumer<PostgresSchema> body) throws SQLException {
    try (PostgresServer server =
            PostgresServer.launch("shared_preload_libraries=pg_stat_statements");
        PostgresSchema schema = PostgresSchema.make(server);
        Connection connection = DriverManager.getConnection(schema.uri());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE EXTENSION pg_stat_statements");
      executed = () -> calls(statement);
      body.accept(schema);
    }
  }

  private static int calls(Statement statement) {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT sum(calls) FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'")) {
      row.next();
      return row.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Tag("server")
  void verbsTakeAsManyStatementsAsTheyMayOnMariaDb() throws SQLException {
    try (MariaServer server = MariaServer.launch();
        MariaSchema schema = MariaSchema.make(server);
        Connection connection = DriverManager.getConnection(schema.uri());
        Statement statement = connection.createStatement()) {
      AtomicInteger ownQuestions = new AtomicInteger();
      executed =
          () -> {
            try (ResultSet row =
                statement.executeQuery("SHOW GLOBAL STATUS WHERE variable_name = 'Questions'")) {
              row.next();
              return row.getInt(2) - ownQuestions.incrementAndGet();
            } catch (SQLException e) {
              throw new IllegalStateException(e);
            }
          };
      LockBackend backend = schema.backend();
      awaitConnected(
          () ->
              Integer.parseInt(
                      schema.text(
                          "SELECT count(*) FROM information_schema.processlist WHERE db = DATABASE()"))
                  - 2); // That of the counting, and that of the question.
      countAll(backend, WOKEN);
    }
  }

  /** What is made in the background is there: a pause in its making is not the end of it. */
  private static void awaitConnected(IntSupplier connections) {
    await().atMost(Duration.ofSeconds(60)).until(() -> connections.getAsInt() > Pools.HEARTBEATS);
  }

  private static int connections(PostgresSchema schema) {
    return Integer.parseInt(
        schema.text("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'holdfast'"));
  }

  private void awaitQuiet() {
    int[] last = {-1};
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              int before = last[0];
              last[0] = executed.getAsInt();
              return last[0] == before;
            });
  }

  /**
   * What differs where the waiters lie in a table of their own: the first join of a lock tries to
   * take it in the short way, a look reads queue and sessions at once, and the dead are removed
   * without being read before.
   */
  private record Expected(int firstJoin, int look, int handOver, int overtake) {}

  private static final Expected QUEUE_TEXT = new Expected(1, 2, 1, 3);

  /** Whoever hands over reads to whom, and wakes it. */
  private static final Expected WOKEN = new Expected(1, 2, 3, 3);

  private static final Expected QUEUE_TABLE = new Expected(2, 1, 1, 1);

  /**
   * Hands a lock over, and again if there were fewer statements than it takes: a wake is let be if
   * it takes long, as on a machine that stands still. Returns what holds then.
   */
  private Request handOver(LockBackend backend, Request holds, Request waits, int expected) {
    Request holder = holds;
    Request next = waits;
    for (int attempt = 1; ; attempt++) {
      Request leaves = holder;
      int statements =
          count("hand over", () -> backend.release(leaves.name(), leaves.id(), soon()));
      if (statements >= expected || attempt == HAND_OVERS_MAX) {
        assertThat(statements).as("hand over").isEqualTo(expected);
        return next;
      }
      backend.release(next.name(), next.id(), soon());
      holder = request(holds.id().session(), "a", IfHeld.QUEUE);
      next = request(waits.id().session(), "a", IfHeld.QUEUE);
      take(backend, holder);
      backend.grab(next, soon());
    }
  }

  private void countAll(LockBackend backend, Expected expected) {
    LOG.info("Statements per verb at {}", backend.describe());
    SessionId mine = session(backend);
    backend.renew(mine, soon());
    awaitQuiet(); // What it takes to connect is not counted.
    SessionId other = session(backend);
    Request first = request(mine, "a", IfHeld.QUEUE);
    Request second = request(other, "a", IfHeld.QUEUE);
    Request third = request(other, "a", IfHeld.QUEUE);
    Request refused = request(other, "a", IfHeld.REFUSE);

    assertThat(count("open", () -> session(backend))).isEqualTo(2);
    assertThat(count("renew", () -> backend.renew(mine, soon()))).isEqualTo(1);
    assertThat(count("grab of a new lock", () -> backend.grab(first, soon()))).isEqualTo(1);
    assertThat(count("refused grab", () -> backend.grab(refused, soon()))).isEqualTo(2);
    assertThat(count("first join", () -> backend.grab(second, soon())))
        .isEqualTo(expected.firstJoin());
    assertThat(count("join", () -> backend.grab(third, soon()))).isEqualTo(1);
    assertThat(count("repeated join", () -> backend.grab(third, soon()))).isEqualTo(2);
    assertThat(count("look", () -> backend.look(other, List.of(second.key()), soon())))
        .isEqualTo(expected.look());
    assertThat(count("resume", () -> ((ResumableSessions) backend).resume(other, soon())))
        .isEqualTo(3);
    assertThat(count("leave the queue", () -> backend.release(third.name(), third.id(), soon())))
        .isEqualTo(1);
    Request next = handOver(backend, first, second, expected.handOver());
    assertThat(count("look of a holder", () -> backend.look(other, List.of(next.key()), soon())))
        .isEqualTo(1);
    assertThat(count("release", () -> backend.release(next.name(), next.id(), soon())))
        .isEqualTo(1);
    assertThat(count("grab of a free lock", () -> backend.grab(refused, soon()))).isEqualTo(1);
    assertThat(count("list", () -> backend.list("", Optional.empty(), 9, soon()))).isEqualTo(1);
    assertThat(count("inspect", () -> backend.inspect(first.name(), soon()))).isEqualTo(1);
    long number = backend.inspect(first.name(), soon()).orElseThrow().number();
    assertThat(
            count(
                "revoke",
                () -> backend.revoke(observed(refused, number), RevokeWhen.SAFELY, soon())))
        .isEqualTo(3); // One of them reads whether the restart guard lasts.
    assertThat(count("acknowledge", () -> backend.acknowledge(refused.id(), soon()))).isEqualTo(1);
    assertThat(count("end", () -> backend.end(other, EndIf.CLOSED, soon()))).isEqualTo(1);
    Request newcomer = request(mine, "a", IfHeld.QUEUE);
    assertThat(
            count("overtake", () -> backend.overtake(newcomer, observed(refused, number), soon())))
        .isEqualTo(expected.overtake());
    assertThat(take(backend, newcomer).number()).isGreaterThan(number);
    assertThat(count("end of a living one", () -> backend.end(mine, EndIf.LAPSED, soon())))
        .isEqualTo(2);
  }
}
