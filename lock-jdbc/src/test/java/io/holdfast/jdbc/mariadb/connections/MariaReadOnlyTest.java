package io.holdfast.jdbc.mariadb.connections;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.mariadb.MariaSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.jdbc.BarePool;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.jdbc.mariadb.OnMaria;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transactions that only read, unless they say otherwise. Their server is no replica for that. */
class MariaReadOnlyTest extends OnMaria {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  @AfterEach
  void readAndWrite() {
    schema.execute("SET GLOBAL tx_read_only = 0");
  }

  private static void takeAndRelease(LockBackend backend) {
    SessionId mine = session(backend);
    Request request = request(mine, "a", IfHeld.QUEUE);
    take(backend, request);
    assertThat(backend.renew(mine, soon())).isInstanceOf(Renewed.Alive.class);
    assertThat(backend.release(request.name(), request.id(), soon())).isEqualTo(Released.FREED);
  }

  @Test
  void nothingFailsOnAServerWhereTransactionsOnlyReadByDefault() {
    schema.execute("SET GLOBAL tx_read_only = 1");

    takeAndRelease(schema.backend());
  }

  /** The driver is not told, so it does not know. */
  private Connection readingOnly() throws SQLException {
    Connection connection = DriverManager.getConnection(schema.uri());
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION TRANSACTION READ ONLY");
    }
    return connection;
  }

  @Test
  void connectionsThatAnApplicationHasSetToReadAreUsedAndGivenBackSo() throws SQLException {
    BarePool.untilIntact(this::lendsThoseThatRead);
  }

  private boolean lendsThoseThatRead() throws SQLException {
    try (BarePool pool = new BarePool(JdbcLocks.CONNECTIONS, number -> readingOnly())) {
      try (LockBackend backend = JdbcLocks.on(pool).connect(BackendOptions.DEFAULTS, soon())) {
        takeAndRelease(backend);
      }
      await().atMost(WAIT_MAX).until(() -> pool.lent() == 0);
      for (Connection connection : pool.connections()) {
        try (Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery("SELECT @@tx_read_only")) {
          assertThat(row.next()).isTrue();
          assertThat(row.getInt(1)).as("only reads").isOne();
        }
      }
      return pool.isIntact();
    }
  }
}
