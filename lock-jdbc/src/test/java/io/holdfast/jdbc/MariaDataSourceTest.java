package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Locks over the connections of an application. */
class MariaDataSourceTest extends OnMaria {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

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
        "SET SESSION time_zone = '-11:00', sql_mode = 'ANSI_QUOTES,SIMULTANEOUS_ASSIGNMENT', lock_wait_timeout = 77");
    return new HikariDataSource(config);
  }

  @Test
  void aPoolLikesItsConnectionsAsItLikes() {
    try (HikariDataSource dataSource = pool();
        LockClient one = Holdfast.builder().connect(JdbcLocks.on(dataSource));
        LockClient other = Holdfast.builder().connect(JdbcLocks.on(dataSource))) {
      Grant held = one.lock("a").acquire(PATIENCE);

      assertThat(other.lock("a").tryAcquire()).isEmpty();
      held.close();
      try (Grant next = other.lock("a").acquire(PATIENCE)) {
        assertThat(next.token()).isGreaterThan(held.token());
      }
    }
  }

  private static String settings(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT concat_ws(' ', @@autocommit, @@tx_isolation, @@time_zone, @@sql_mode, @@innodb_lock_wait_timeout, @@lock_wait_timeout, @@wait_timeout)")) {
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
        client.lock("a").acquire(PATIENCE).close();
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
