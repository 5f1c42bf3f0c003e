package io.holdfast.jdbc.mariadb.connections;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.BarePool;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.mariadb.OnMaria;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Standing;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An application may have its queries cut short. What is missing in an answer would be taken for
 * gone: a session for over, and a lock for one in whose queue nobody stands.
 */
class MariaSelectLimitTest extends OnMaria {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  @AfterEach
  void readAll() {
    schema.execute("SET GLOBAL sql_select_limit = DEFAULT");
    schema.execute("SET GLOBAL max_statement_time = DEFAULT");
  }

  /** A watch for hand-overs is one statement after the other, each of a second. */
  @Test
  void aServerThatEndsLongStatementsEndsNoHints() throws Exception {
    schema.execute("SET GLOBAL max_statement_time = 0.5");
    AtomicBoolean ended = new AtomicBoolean();
    LockBackend backend = schema.backend();
    try (AutoCloseable hints =
        backend.listen(
            session(backend),
            new HintListener() {
              @Override
              public void accept(LockName name) {}

              @Override
              public void ended() {
                ended.set(true);
              }
            },
            soon())) {
      await().during(Duration.ofSeconds(3)).atMost(WAIT_MAX).until(() -> !ended.get());
    }
  }

  /** Two share each of two locks, and one waits for both. */
  private static void requireThatNobodyIsTakenForGone(LockBackend backend) {
    List<SessionId> readers = List.of(session(backend), session(backend));
    SessionId writer = session(backend);
    List<String> names = List.of("a", "b");
    for (String name : names) {
      readers.forEach(
          reader -> take(backend, request(reader, name, IfHeld.QUEUE).with(LockMode.SHARED)));
    }
    List<Request> waiting =
        names.stream().map(name -> request(writer, name, IfHeld.QUEUE)).toList();
    waiting.forEach(request -> backend.grab(request, soon()));

    assertThat(backend.look(writer, waiting.stream().map(Request::key).toList(), soon()))
        .hasSize(2)
        .allSatisfy(
            standing ->
                assertThat(standing)
                    .isInstanceOfSatisfying(
                        Standing.Waiting.class,
                        waits -> assertThat(waits.obstacles()).as("obstacles").isEmpty()));
    assertThat(names.stream().flatMap(name -> holders(backend, name)).map(Holder::liveness))
        .containsExactly(Liveness.LIVE, Liveness.LIVE, Liveness.LIVE, Liveness.LIVE);
  }

  private static Stream<Holder> holders(LockBackend backend, String name) {
    return backend.inspect(new LockName(name), soon()).orElseThrow().holders().stream();
  }

  @Test
  void aServerThatCutsAnswersShortByDefaultAnswersInFull() {
    schema.execute("SET GLOBAL sql_select_limit = 1");

    requireThatNobodyIsTakenForGone(schema.backend());
  }

  private Connection limited() throws SQLException {
    Connection connection = DriverManager.getConnection(schema.uri());
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET sql_select_limit = 1");
    }
    return connection;
  }

  @Test
  void connectionsThatAnApplicationHasLimitedAreUsedWithoutThatAndGivenBackSo()
      throws SQLException {
    BarePool.untilIntact(this::lendsLimitedOnes);
  }

  private boolean lendsLimitedOnes() throws SQLException {
    try (BarePool pool = new BarePool(JdbcLocks.CONNECTIONS, number -> limited())) {
      try (LockBackend backend = JdbcLocks.on(pool).connect(BackendOptions.DEFAULTS, soon())) {
        requireThatNobodyIsTakenForGone(backend);
      }
      await().atMost(WAIT_MAX).until(() -> pool.lent() == 0);
      assertThat(pool.connections()).extracting(MariaSelectLimitTest::limit).containsOnly(1L);
      return pool.isIntact();
    }
  }

  private static long limit(Connection connection) {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT @@sql_select_limit LIMIT 1")) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** MySQL's driver has an option for that, and a pool may have one. */
  @Test
  void statementsThatTheDriverCutsShortAnswerInFull() {
    try (LockBackend backend =
        Backends.maria(
            schema.uri(),
            deadline -> RestorableConnection.ours(cuttingShort()),
            ServerSettings.standard(),
            BackendOptions.DEFAULTS,
            soon())) {
      requireThatNobodyIsTakenForGone(backend);
    }
  }

  private Connection cuttingShort() throws SQLException {
    Connection connection = DriverManager.getConnection(schema.uri());
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, given) -> {
              try {
                Object result = method.invoke(connection, given);
                if (result instanceof PreparedStatement statement) {
                  statement.setMaxRows(1);
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
