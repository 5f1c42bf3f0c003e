package io.holdfast.jdbc;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
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
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.pools.Pools;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Renewed;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteDataSource;

/** Locks over the connections of an application. */
class DataSourceTest extends OnPostgres {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(700);

  @BeforeEach
  void makeTableOfApplication() {
    schema.execute("CREATE TABLE orders (id integer)");
  }

  /** With a URL, HikariCP would set the login timeout of the whole JVM. */
  private HikariConfig pool(int size) {
    PGSimpleDataSource plain = new PGSimpleDataSource();
    plain.setUrl(schema.uri());
    HikariConfig config = new HikariConfig();
    config.setDataSource(plain);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(WAIT_MAX.toMillis());
    return config;
  }

  private static LockClient client(javax.sql.DataSource dataSource) {
    return Holdfast.builder().connect(JdbcLocks.on(dataSource));
  }

  @Test
  void aPoolLikesItsConnectionsAsItLikes() {
    HikariConfig config = pool(2 * (JdbcLocks.CONNECTIONS + 1));
    config.setAutoCommit(false);
    config.setReadOnly(true);
    config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
    config.setConnectionInitSql(
        "SET default_transaction_read_only = on; SET TIME ZONE 'Asia/Kathmandu'; SET synchronous_commit = off");
    try (HikariDataSource dataSource = new HikariDataSource(config);
        LockClient one = client(dataSource);
        LockClient other = client(dataSource)) {
      // given
      Grant held = one.lock("a").acquire(WAIT_MAX);

      // when
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> other.lock("a").acquire(WAIT_MAX));
      await()
          .atMost(WAIT_MAX)
          .until(() -> schema.text("SELECT count(*) FROM holdfast_queue").equals("1"));

      // then
      held.check();
      held.close();
      try (Grant next = waits.join()) {
        assertThat(next.token().value()).isGreaterThan(held.token().value());
        next.check();
      }
    }
  }

  private static String text(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Connection dressed() throws SQLException {
    Connection connection = DriverManager.getConnection(schema.uri());
    execute(connection, "SET statement_timeout = '77s'");
    execute(connection, "SET synchronous_commit = 'local'");
    execute(connection, "SET default_transaction_read_only = on");
    connection.setReadOnly(true);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setAutoCommit(false);
    return connection;
  }

  @Test
  void connectionsAreGivenBackAsTheyCame() throws SQLException {
    BarePool.untilIntact(this::lendsDressedOnes);
  }

  private boolean lendsDressedOnes() throws SQLException {
    try (BarePool dataSource = new BarePool(JdbcLocks.CONNECTIONS, number -> dressed())) {
      try (LockClient client = client(dataSource)) {
        client.lock("a").acquire(WAIT_MAX).close();
      }
      await().atMost(WAIT_MAX).until(() -> dataSource.lent() == 0);
      for (Connection connection : dataSource.connections()) {
        assertThat(connection.getAutoCommit()).isFalse();
        assertThat(connection.isReadOnly()).isTrue();
        assertThat(connection.getTransactionIsolation())
            .isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
        assertThat(text(connection, "SHOW statement_timeout")).isEqualTo("77s");
        assertThat(text(connection, "SHOW synchronous_commit")).isEqualTo("local");
        assertThat(text(connection, "SHOW default_transaction_read_only")).isEqualTo("on");
      }
      return dataSource.isIntact();
    }
  }

  @Test
  void aTransactionThatSomebodyLeftOpenIsNeitherCommittedNorGoneOnWith() throws SQLException {
    try (BarePool dataSource =
            new BarePool(
                JdbcLocks.CONNECTIONS,
                number -> {
                  Connection connection = DriverManager.getConnection(schema.uri());
                  if (number % 2 == 0) {
                    connection.setAutoCommit(false);
                  } else {
                    execute(connection, "BEGIN");
                  }
                  execute(connection, "INSERT INTO orders VALUES (1)");
                  return connection;
                });
        LockClient client = client(dataSource)) {
      Grant held = client.lock("a").acquire(WAIT_MAX);

      assertThat(schema.text("SELECT count(*) FROM orders")).isEqualTo("0");
      assertThat(schema.text("SELECT holder FROM holdfast_locks")).isNotEmpty();
      held.check();
    }
  }

  @Test
  void theDataSourceOutlivesTheClient() throws SQLException {
    try (HikariDataSource dataSource = new HikariDataSource(pool(JdbcLocks.CONNECTIONS))) {
      client(dataSource).close();

      try (Connection connection = dataSource.getConnection()) {
        assertThat(text(connection, "SELECT 1")).isEqualTo("1");
      }
      assertThat(dataSource.getHikariPoolMXBean().getActiveConnections()).isZero();
    }
  }

  @Test
  void aPoolThatIsTooSmallIsSaidToBe() {
    HikariConfig config = pool(JdbcLocks.CONNECTIONS - 1);
    config.setConnectionTimeout(1000);
    try (HikariDataSource dataSource = new HikariDataSource(config)) {
      // While the machine stands still it may fail to make one in time.
      await()
          .atMost(WAIT_MAX)
          .pollInSameThread()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> client(dataSource))
                      .isInstanceOf(BackendUnreachableException.class)
                      .hasMessageContaining("needs %d connections".formatted(JdbcLocks.CONNECTIONS))
                      .hasMessageContaining("gave %d of them".formatted(JdbcLocks.CONNECTIONS - 1))
                      .hasMessageContaining("pool exhausted"));

      await()
          .atMost(WAIT_MAX)
          .until(() -> dataSource.getHikariPoolMXBean().getActiveConnections() == 0);
    }
  }

  @Test
  void aPoolThatTakesItsTimeHoldsUpNobodyBeyondTheDeadline() {
    try (HikariDataSource dataSource = new HikariDataSource(pool(1))) {
      assertThatThrownBy(
              () ->
                  JdbcLocks.on(dataSource)
                      .connect(BackendOptions.DEFAULTS, Deadline.in(Duration.ofSeconds(3))))
          .isInstanceOf(BackendFailure.class);

      await()
          .atMost(WAIT_MAX)
          .until(() -> dataSource.getHikariPoolMXBean().getActiveConnections() == 0);
    }
  }

  @Test
  void threeConnectionsAreKeptAtMost() {
    try (HikariDataSource dataSource = new HikariDataSource(pool(2 * JdbcLocks.CONNECTIONS));
        LockClient client = client(dataSource);
        LockClient other = Holdfast.connect(schema.uri())) {
      // when nobody waits
      Grant held = client.lock("a").acquire(WAIT_MAX);
      awaitLent(dataSource, 2);
      held.close();

      // when somebody waits
      Grant elsewhere = other.lock("a").acquire(WAIT_MAX);
      CompletableFuture<Grant> waits =
          CompletableFuture.supplyAsync(() -> client.lock("a").acquire(WAIT_MAX));
      awaitLent(dataSource, 3);

      // then
      elsewhere.close();
      waits.join().close();
    }
  }

  private static void awaitLent(HikariDataSource dataSource, int number) {
    await()
        .atMost(WAIT_MAX)
        .until(() -> dataSource.getHikariPoolMXBean().getActiveConnections() == number);
  }

  @Test
  void whileThePoolIsEmptyHeartbeatsKeepTheirConnection() throws Exception {
    try (HikariDataSource dataSource = new HikariDataSource(pool(JdbcLocks.CONNECTIONS));
        LockBackend backend = JdbcLocks.on(dataSource).connect(BackendOptions.DEFAULTS, soon())) {
      // given
      SessionId mine = session(backend);
      Request held = request(mine, "a", IfHeld.REFUSE);
      take(backend, held);

      // when
      List<Connection> application = new ArrayList<>();
      for (int i = 0; i < JdbcLocks.CONNECTIONS - Pools.HEARTBEATS; i++) {
        application.add(dataSource.getConnection());
      }

      // then
      BackendFailure empty =
          catchThrowableOfType(
              BackendFailure.class,
              () -> backend.grab(request(mine, "b", IfHeld.REFUSE), Deadline.in(SHORT)));
      assertThat(empty.effect()).isEqualTo(Effect.NONE);
      assertThat(backend.renew(mine, soon())).isInstanceOf(Renewed.Alive.class);
      backend.release(held.name(), held.id(), soon());
      for (Connection connection : application) {
        connection.close();
      }
      take(backend, request(mine, "b", IfHeld.REFUSE));
    }
  }

  @Test
  void aWrongPasswordIsNotMistakenForAServerThatIsDown() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(schema.uri().replace("user=postgres", "user=nobody"));

    assertThatThrownBy(() -> client(dataSource)).isInstanceOf(BackendUnusableException.class);
  }

  @Test
  void aLockFileIsNamedByAUri(@TempDir Path directory) {
    SQLiteDataSource dataSource = new SQLiteDataSource();
    dataSource.setUrl("jdbc:sqlite:" + directory.resolve("locks.db"));

    assertThatThrownBy(() -> client(dataSource))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("jdbc:sqlite:FILE");
  }
}
