package io.holdfast.jdbc.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.jdbc.BarePool;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.jdbc.pools.Pools;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a pool of the application gets back it can hand on. */
public interface HandBackRules {

  Duration WAIT_MAX = Duration.ofSeconds(60);

  /** Enough for calls at the same time. */
  int SIZE = 2 * JdbcLocks.CONNECTIONS;

  ServerSchema schema();

  /** Requires that nothing of what hints need is left on a connection. */
  void requireQuiet(Connection connection) throws SQLException;

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(schema().uri());
  }

  @Test
  default void connectionsAreGoodAfterSomebodyHasWaited() throws SQLException {
    BarePool.untilIntact(this::somebodyWaits);
  }

  private boolean somebodyWaits() throws SQLException {
    try (BarePool pool = new BarePool(SIZE, number -> connect())) {
      try (LockClient client = Holdfast.builder().connect(JdbcLocks.on(pool));
          LockClient other = Holdfast.connect(schema().uri())) {
        Grant held = other.lock("a").acquire(WAIT_MAX);
        CompletableFuture<Grant> waits =
            CompletableFuture.supplyAsync(() -> client.lock("a").acquire(WAIT_MAX));
        awaitListening(pool);
        held.close();
        assertThat(waits).succeedsWithin(WAIT_MAX);
        waits.join().close();
      }
      requireAllGood(pool);
      return pool.isIntact();
    }
  }

  private void requireAllGood(BarePool pool) throws SQLException {
    await().atMost(WAIT_MAX).until(() -> pool.lent() == 0);
    for (Connection connection : pool.connections()) {
      requireGood(connection);
      requireQuiet(connection);
    }
  }

  /** Also the one over which a request is told when the client is closed. */
  @Test
  default void connectionsAreGoodAfterAClientIsClosedOnWhichSomebodyWaits() throws SQLException {
    BarePool.untilIntact(this::somebodyWaitsOnAClientThatIsClosed);
  }

  private boolean somebodyWaitsOnAClientThatIsClosed() throws SQLException {
    try (BarePool pool = new BarePool(SIZE, number -> connect());
        LockClient other = Holdfast.connect(schema().uri())) {
      Grant held = other.lock("a").acquire(WAIT_MAX);
      CompletableFuture<Grant> waits;
      try (LockClient client = Holdfast.builder().connect(JdbcLocks.on(pool))) {
        waits = CompletableFuture.supplyAsync(() -> client.lock("a").acquire(WAIT_MAX));
        awaitListening(pool);
      }
      held.close();

      assertThat(waits).failsWithin(WAIT_MAX);
      requireAllGood(pool);
      return pool.isIntact();
    }
  }

  /** One more is lent than those that are kept, for the thread that hears. */
  private static void awaitListening(BarePool pool) {
    await()
        .atMost(WAIT_MAX)
        .until(() -> pool.lent() == Pools.HEARTBEATS + 1 && isSomebodyListening());
  }

  private static boolean isSomebodyListening() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .anyMatch(name -> name.equals("holdfast-listen") || name.equals("holdfast-watch"));
  }

  private static void requireGood(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT 1")) {
      assertThat(row.next()).isTrue();
    }
  }

  /** Some drivers keep what is open until the connection itself is closed. */
  @Test
  default void noStatementIsLeftOpenOnAConnectionThatGoesBack() throws SQLException {
    BarePool.untilIntact(this::statementsAreClosed);
  }

  private boolean statementsAreClosed() throws SQLException {
    Counted counted = new Counted();
    try (BarePool pool = new BarePool(SIZE, number -> counted.connection(connect()))) {
      try (LockClient client = Holdfast.builder().connect(JdbcLocks.on(pool))) {
        for (int i = 0; i < 100; i++) {
          client.lock("a").acquire(WAIT_MAX).close();
        }
      }
      await().atMost(WAIT_MAX).until(() -> pool.lent() == 0);

      if (!pool.isIntact()) {
        return false; // Those of a connection that is aborted end with it.
      }
      assertThat(counted.prepared).hasPositiveValue();
      assertThat(counted.open).hasValue(0);
      return true;
    }
  }
}
