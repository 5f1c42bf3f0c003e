package io.holdfast.jdbc.postgres.cost;

import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.postgres.PostgresSchema;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.testing.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a step on a lock costs the server does not depend on how many requests wait, or share it:
 * bytes written to the log, and pages touched, as {@code pg_stat_statements} counts them. Times are
 * printed and not judged.
 */
@Tag("server")
class PostgresFlatCostTest {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresFlatCostTest.class);

  private static final int FEW = 2;
  private static final int MANY = 1_000;

  /** Of those who share at most 64 are judged or told at a time. */
  private static final int MORE_THAN_ARE_TOLD = 80;

  private static final int TIMES = 48;
  private static final double MORE_AT_MOST = 1.3;

  /** A read, too, writes a few bytes now and then, when it clears a page of old versions. */
  private static final int CLEARING = 40;

  private static Map<String, Count> measure(Crowd crowd, Statement statement) {
    for (int i = 0; i < TIMES; i++) {
      crowd.round(new LinkedHashMap<>(), statement); // Until all statements are prepared.
    }
    Map<String, Count> costs = new LinkedHashMap<>();
    for (int i = 0; i < TIMES; i++) {
      crowd.round(costs, statement);
    }
    return costs;
  }

  /** Makes a lock with so many requests. */
  @FunctionalInterface
  private interface Maker {
    Crowd make(LockBackend backend, String name, int requests);
  }

  @Test
  void aStepCostsTheSameHoweverManyWait() throws SQLException {
    compare(WaitingLine::new, FEW);
  }

  @Test
  void aStepCostsTheSameHoweverManyShare() throws SQLException {
    compare(SharedRun::new, MORE_THAN_ARE_TOLD);
  }

  private static void compare(Maker maker, int few) throws SQLException {
    try (PostgresServer server =
            PostgresServer.launch(
                "shared_preload_libraries=pg_stat_statements",
                "full_page_writes=off",
                "fsync=off",
                "autovacuum=off");
        PostgresSchema schema = PostgresSchema.make(server);
        Connection connection = DriverManager.getConnection(schema.uri());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE EXTENSION pg_stat_statements");
      LockBackend backend =
          schema.backend(ServerSettings.standard(), longSessions().withMaxWaiters(2 * MANY));
      // Both first, so that the indexes are as deep for the one as for the other.
      Crowd small = maker.make(backend, "few", few);
      Crowd large = maker.make(backend, "many", MANY);
      statement.execute("VACUUM ANALYZE");

      Map<String, Count> withFew = measure(small, statement);
      Map<String, Count> withMany = measure(large, statement);

      SoftAssertions.assertSoftly(
          soft ->
              withFew.forEach(
                  (step, cost) ->
                      requireSame(
                          soft, few, step, cost, Objects.requireNonNull(withMany.get(step)))));
    }
  }

  private static BackendOptions longSessions() {
    NamespaceWish wish =
        new NamespaceWish(OptionalInt.empty(), Optional.of(Crowd.TTL), Optional.empty());
    return new BackendOptions(wish, RestartGuard.OFF);
  }

  private static void requireSame(
      SoftAssertions soft, int requests, String step, Count few, Count many) {
    LOG.info(
        "{} with {} and with {} others: {} and {} bytes of log, {} and {} pages, {} and {} µs",
        step,
        requests,
        MANY,
        few.bytes() / TIMES,
        many.bytes() / TIMES,
        few.pages() / TIMES,
        many.pages() / TIMES,
        few.nanos() / 1_000 / TIMES,
        many.nanos() / 1_000 / TIMES);
    soft.assertThat((double) many.bytes())
        .as("bytes of log of a %s", step)
        .isLessThanOrEqualTo(few.bytes() * MORE_AT_MOST + CLEARING * TIMES);
    soft.assertThat((double) many.pages())
        .as("pages touched by a %s", step)
        .isLessThanOrEqualTo(few.pages() * MORE_AT_MOST + TIMES);
  }
}
