package io.holdfast.jdbc.pools;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request.IfHeld;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pools of a client that was given a URI. */
class PoolTest extends OnPostgres {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  private int connections() {
    return Integer.parseInt(
        schema.text("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'holdfast'"));
  }

  @Test
  void connectionsForHeartbeatsAreThereBeforeThereIsOne() {
    LockBackend backend = schema.backend();

    await().atMost(WAIT_MAX).until(() -> connections() > Pools.HEARTBEATS);
    take(backend, request(session(backend), "a", IfHeld.REFUSE));
  }

  @Test
  void theLoginTimeoutOfTheJvmIsNotOurs() {
    int before = DriverManager.getLoginTimeout();
    DriverManager.setLoginTimeout(77);
    try {
      session(schema.backend());

      assertThat(DriverManager.getLoginTimeout()).isEqualTo(77);
    } finally {
      DriverManager.setLoginTimeout(before);
    }
  }

  @Test
  void thePoolsCountAndAreCalledAsTheUriSays() {
    MetricRegistry registry = new MetricRegistry();
    JdbcLocks locks =
        JdbcLocks.at(schema.uri() + "&connections=3&poolName=orders").metricRegistry(registry);

    try (LockBackend backend = locks.connect(BackendOptions.DEFAULTS, soon())) {
      session(backend);

      assertThat(registry.getGauges())
          .hasEntrySatisfying(
              "orders-verbs.pool.MaxConnections",
              gauge -> assertThat(gauge.getValue()).isEqualTo(3));
      assertThat(registry.getTimers())
          .hasEntrySatisfying(
              "orders-verbs.pool.Wait", timer -> assertThat(timer.getCount()).isPositive());
      assertThat(registry.getGauges()).containsKey("orders-heartbeats.pool.TotalConnections");
    }
  }

  @Test
  void nothingOfAPoolIsLeftWhenItIsClosed() {
    LockBackend backend = schema.backend();
    session(backend);
    assertThat(threads()).isNotEmpty();

    backend.close();

    await().atMost(WAIT_MAX).until(() -> threads().findAny().isEmpty() && connections() == 0);
  }

  private static Stream<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("holdfast-jdbc-"))
        .peek(thread -> assertThat(thread.isDaemon()).isTrue());
  }
}
