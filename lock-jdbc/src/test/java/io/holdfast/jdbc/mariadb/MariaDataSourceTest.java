package io.holdfast.jdbc.mariadb;

import static io.holdfast.jdbc.fixtures.LockFile.observed;
import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.SessionId;
import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks over the connections of an application. */
class MariaDataSourceTest extends OnMaria {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  /** Connections that are as unlike what we need as a pool can make them. */
  private HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(schema.uri());
    config.setMaximumPoolSize(2 * JdbcLocks.CONNECTIONS);
    config.setMinimumIdle(0);
    config.setAutoCommit(false);
    config.setReadOnly(true);
    config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
    config.setConnectionInitSql(
        "SET SESSION time_zone = '-11:00', sql_mode = 'ANSI_QUOTES,SIMULTANEOUS_ASSIGNMENT', lock_wait_timeout = 77, sql_safe_updates = 1, sql_select_limit = 1000, max_statement_time = 77, SESSION tx_read_only = 1");
    return new HikariDataSource(config);
  }

  @Test
  void aPoolLikesItsConnectionsAsItLikes() {
    try (HikariDataSource dataSource = pool();
        LockClient one = Holdfast.builder().connect(JdbcLocks.on(dataSource));
        LockClient other = Holdfast.builder().connect(JdbcLocks.on(dataSource))) {
      Grant held = one.lock("a").acquire(WAIT_MAX);

      assertThat(other.lock("a").tryAcquire()).isEmpty();
      held.close();
      try (Grant next = other.lock("a").acquire(WAIT_MAX)) {
        assertThat(next.token()).isGreaterThan(held.token());
      }
    }
  }

  private final List<Connection> connections = new CopyOnWriteArrayList<>();

  /** Makes connections that the test has in its hands too. */
  private DataSource dataSource() {
    return proxied(
        DataSource.class,
        (proxy, method, arguments) -> {
          Connection connection = DriverManager.getConnection(schema.uri());
          connections.add(connection);
          return connection;
        });
  }

  private void executeOnAll(String sql) {
    for (Connection connection : connections) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      } catch (SQLException e) {
        requireClosed(connection, e);
      }
    }
  }

  /** Its owner may close it at any time. */
  private static void requireClosed(Connection connection, SQLException failure) {
    try {
      if (connection.isClosed()) {
        return;
      }
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
    throw new IllegalStateException(failure);
  }

  private LockBackend backend(Runnable beforeStatement) {
    return Backends.over(
        dataSource(),
        ServerSettings.standard().onStatement(text -> beforeStatement.run()),
        BackendOptions.DEFAULTS,
        soon());
  }

  /** Else what it does not know of a restart guard, or gives as a number, is of another time. */
  @ParameterizedTest
  @ValueSource(longs = {86_400, -86_400})
  void aConnectionThatWasToldAnotherTimeIsReplaced(long seconds) {
    AtomicBoolean isOther = new AtomicBoolean();
    LockBackend backend =
        backend(
            () -> {
              if (isOther.getAndSet(false)) {
                executeOnAll("SET timestamp = UNIX_TIMESTAMP() + (%d)".formatted(seconds));
              }
            });
    SessionId session = session(backend);
    isOther.set(true);
    Request request = request(session, "a", IfHeld.REFUSE);

    BackendFailure failure =
        catchThrowableOfType(BackendFailure.class, () -> backend.grab(request, soon()));

    assertThat(failure).hasMessageContaining("so it is replaced");
    await()
        .ignoreExceptionsInstanceOf(BackendFailure.class)
        .until(() -> backend.grab(request, soon()) instanceof Attempt.Granted);
    assertThat(
            schema.text(
                "SELECT abs(since / 1000000 - UNIX_TIMESTAMP()) < 3600 FROM holdfast_locks"))
        .isEqualTo("1");
  }

  /** A proxy may lead a statement to where nobody has set the connection. */
  @Test
  void statementsDoNotDependOnWhatTheConnectionWasSetTo() {
    Runnable unset =
        () ->
            executeOnAll(
                "SET SESSION time_zone = '-11:00', sql_mode = 'NO_ENGINE_SUBSTITUTION', sql_select_limit = 0");
    try (LockBackend backend = backend(unset)) {
      // given
      SessionId mine = session(backend);
      Request held = request(mine, "a", IfHeld.QUEUE);
      Request next = request(session(backend), "a", IfHeld.QUEUE);

      // when
      Attempt.Granted granted = take(backend, held);
      backend.grab(next, soon());
      backend.revoke(observed(held, granted.number()), RevokeWhen.SAFELY, soon());

      // then
      assertThat(Duration.between(granted.since(), Instant.now()).abs())
          .isLessThan(Duration.ofHours(1));
      assertThat(((Renewed.Alive) backend.renew(mine, soon())).notices()).hasSize(1);
      assertThat(backend.release(held.name(), held.id(), soon())).isEqualTo(Released.HANDED_ON);
      assertThat(take(backend, next).number()).isGreaterThan(granted.number());
      assertThat(backend.release(next.name(), next.id(), soon())).isEqualTo(Released.FREED);
    }
  }

  /** A connection of the server that was not prepared by us stands for one of another server. */
  @Test
  void aStatementThatIsLedElsewhereChangesNothingAndItsConnectionIsMadeAnew() {
    AtomicBoolean astray = new AtomicBoolean();
    Runnable lead =
        () -> {
          if (astray.get()) {
            executeOnAll("SET @holdfast_started = NULL");
          }
        };
    try (LockBackend backend = backend(lead)) {
      // given
      SessionId mine = session(backend);
      Request held = request(mine, "a", IfHeld.QUEUE);
      Request next = request(mine, "b", IfHeld.QUEUE);
      long number = take(backend, held).number();

      // when
      astray.set(true);

      // then
      assertLedElsewhere(() -> backend.grab(next, soon()));
      assertLedElsewhere(() -> backend.renew(mine, soon()));
      assertLedElsewhere(() -> backend.look(mine, List.of(held.key()), soon()));
      assertLedElsewhere(() -> backend.end(mine, EndIf.LAPSED, soon()));
      assertLedElsewhere(() -> session(backend));
      assertLedElsewhere(() -> backend.overtake(next, observed(held, number), soon()));
      // A driver or proxy may have repeated by itself what the first server has done.
      assertThatThrownBy(() -> backend.grab(next, soon()))
          .isInstanceOfSatisfying(
              BackendFailure.class,
              failure -> assertThat(failure.effect()).isEqualTo(BackendFailure.Effect.UNKNOWN));
      astray.set(false);
      await() // One that was kept meanwhile has to find out.
          .atMost(WAIT_MAX)
          .ignoreExceptionsInstanceOf(BackendFailure.class)
          .until(() -> backend.renew(mine, soon()) instanceof Renewed.Alive);
      take(backend, next);
    }
  }

  /** Else the server would be taken for one that started long ago, and every session for over. */
  @Test
  void aConnectionThatIsLedElsewhereWhileItIsMadeIsNotBelieved() throws SQLException {
    try (Connection connection = DriverManager.getConnection(schema.uri())) {
      assertThat(MariaState.read(connection, "here").started()).isPositive();

      assertLedElsewhere(() -> MariaState.read(forgetful(connection), "here"));
    }
  }

  /** Returns a connection of which the server has forgotten at once what is kept there. */
  private static Connection forgetful(Connection connection) {
    return proxied(
        Connection.class,
        (proxy, method, arguments) -> {
          Statement statement = connection.createStatement();
          return proxied(
              Statement.class,
              (inner, called, given) -> {
                Object result = called.invoke(statement, given);
                if (called.getName().equals("execute")) {
                  connection.createStatement().execute("SET @holdfast_started = NULL");
                }
                return result;
              });
        });
  }

  private static <T> T proxied(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static void assertLedElsewhere(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(BackendFailure.class)
        .hasMessageContaining("led to another server");
  }

  private static String settings(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT concat_ws(' ', @@autocommit, @@tx_isolation, @@time_zone, @@sql_mode, @@innodb_lock_wait_timeout, @@lock_wait_timeout, @@wait_timeout, @@sql_safe_updates, @@sql_select_limit, @@max_statement_time, @@tx_read_only)")) {
      row.next();
      return row.getString(1) + " " + connection.getNetworkTimeout();
    }
  }

  @Test
  void connectionsAreGivenBackAsTheyCame() throws SQLException {
    try (HikariDataSource dataSource = pool()) {
      dataSource.setMaximumPoolSize(JdbcLocks.CONNECTIONS);
      String before;
      try (Connection connection = dataSource.getConnection()) {
        before = settings(connection);
      }

      try (LockClient client = Holdfast.builder().connect(JdbcLocks.on(dataSource))) {
        client.lock("a").acquire(WAIT_MAX).close();
      }

      assertThat(before).contains("SERIALIZABLE -11:00");
      for (int i = 0; i < JdbcLocks.CONNECTIONS; i++) {
        try (Connection connection = dataSource.getConnection()) {
          assertThat(settings(connection)).isEqualTo(before);
        }
      }
    }
  }
}
