package io.holdfast.jdbc.postgres;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.SessionId;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Released;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.Standing;
import io.holdfast.testing.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  private static final int SESSIONS = 4;
  private static final Class<? extends Standing> WAITING = Standing.Waiting.class;
  private static final Class<? extends Standing> HOLDING = Standing.Holding.class;
  private static final int TIMES = 48;
  private static final double MORE_AT_MOST = 1.3;

  /** A read, too, writes a few bytes now and then, when it clears a page of old versions. */
  private static final int CLEARING = 40;

  private static final String COUNTS =
      """
      SELECT coalesce(sum(wal_bytes), 0), coalesce(sum(shared_blks_hit + shared_blks_read), 0)
      FROM pg_stat_statements WHERE query LIKE '%holdfast_locks%'""";

  /** What the server has counted. */
  private record Count(long bytes, long pages, long nanos) {

    static Count now(Statement statement) {
      try (ResultSet row = statement.executeQuery(COUNTS)) {
        row.next();
        return new Count(row.getLong(1), row.getLong(2), System.nanoTime());
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    Count minus(Count other) {
      return new Count(bytes - other.bytes, pages - other.pages, nanos - other.nanos);
    }
  }

  /** Something with many requests. */
  private abstract static class Crowd {
    final LockBackend backend;
    private final List<SessionId> sessions = new ArrayList<>();
    private final String name;

    Crowd(LockBackend backend, String name) {
      this.backend = backend;
      this.name = name;
      for (int i = 0; i < SESSIONS; i++) {
        sessions.add(session(backend, Duration.ofSeconds(60)));
      }
    }

    final Request next(IfHeld ifHeld) {
      sessions.add(sessions.remove(0));
      return request(sessions.get(0), name, ifHeld);
    }

    final void renew() {
      sessions.forEach(each -> backend.renew(each, soon()));
    }

    final void look(Request looking, Class<? extends Standing> standing) {
      assertThat(backend.look(looking.id().session(), List.of(looking.key()), soon()))
          .singleElement()
          .isInstanceOf(standing);
    }

    final void beRefused() {
      assertThat(backend.grab(next(IfHeld.REFUSE), soon())).isInstanceOf(Attempt.Refused.class);
    }

    /** Goes through all steps once, and leaves as many requests as there were. */
    abstract void round(Map<String, Count> costs, Statement statement);
  }

  /** A lock that is held, and those who wait for it, in line. */
  private static final class Line extends Crowd {
    private final Deque<Request> waiting = new ArrayDeque<>();
    private Request holder;

    Line(LockBackend backend, String name, int waiters) {
      super(backend, name);
      holder = next(IfHeld.QUEUE);
      take(backend, holder);
      for (int i = 0; i < waiters; i++) {
        join();
      }
    }

    void join() {
      Request joining = next(IfHeld.QUEUE);
      assertThat(backend.grab(joining, soon())).isInstanceOf(Attempt.Queued.class);
      waiting.addLast(joining);
    }

    void withdraw(Request leaving) {
      assertThat(backend.release(leaving.name(), leaving.id(), soon()))
          .isEqualTo(Released.WAS_WAITING);
      waiting.remove(leaving);
    }

    void handOver() {
      assertThat(backend.release(holder.name(), holder.id(), soon())).isEqualTo(Released.HANDED_ON);
      holder = waiting.removeFirst();
    }

    @Override
    void round(Map<String, Count> costs, Statement statement) {
      count(costs, "join", statement, this::join);
      count(costs, "look of the last", statement, () -> look(waiting.getLast(), WAITING));
      count(costs, "look of the first", statement, () -> look(waiting.getFirst(), WAITING));
      count(costs, "refused grab", statement, this::beRefused);
      count(costs, "withdrawal", statement, () -> withdraw(waiting.getLast()));
      count(costs, "hand-over", statement, this::handOver);
      join();
    }
  }

  /** A lock that many share. */
  private static final class Run extends Crowd {
    private final Deque<Request> holders = new ArrayDeque<>();

    Run(LockBackend backend, String name, int holders) {
      super(backend, name);
      for (int i = 0; i < holders; i++) {
        share();
      }
    }

    void share() {
      Request joining = next(IfHeld.QUEUE).with(LockMode.SHARED);
      assertThat(backend.grab(joining, soon())).isInstanceOf(Attempt.Granted.class);
      holders.addLast(joining);
    }

    void leave() {
      Request leaving = holders.removeFirst();
      assertThat(backend.release(leaving.name(), leaving.id(), soon())).isEqualTo(Released.SHARED);
    }

    @Override
    void round(Map<String, Count> costs, Statement statement) {
      Request writer = next(IfHeld.QUEUE);
      count(costs, "joining of a run", statement, this::share);
      count(costs, "leaving of a run", statement, this::leave);
      count(costs, "look of a holder", statement, () -> look(holders.getLast(), HOLDING));
      count(costs, "grab refused by a run", statement, this::beRefused);
      count(costs, "join behind a run", statement, () -> backend.grab(writer, soon()));
      count(costs, "look behind a run", statement, () -> look(writer, WAITING));
      count(
          costs,
          "withdrawal behind a run",
          statement,
          () -> backend.release(writer.name(), writer.id(), soon()));
    }
  }

  private static void count(
      Map<String, Count> costs, String step, Statement statement, Runnable body) {
    Count before = Count.now(statement);
    body.run();
    Count cost = Count.now(statement).minus(before);
    costs.merge(
        step, cost, (a, b) -> new Count(a.bytes + b.bytes, a.pages + b.pages, a.nanos + b.nanos));
  }

  private static Map<String, Count> measure(Crowd crowd, Statement statement) {
    for (int i = 0; i < TIMES; i++) {
      crowd.round(new LinkedHashMap<>(), statement); // Until all statements are prepared.
    }
    Map<String, Count> costs = new LinkedHashMap<>();
    for (int i = 0; i < TIMES; i++) {
      crowd.renew();
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
    compare(Line::new, FEW);
  }

  @Test
  void aStepCostsTheSameHoweverManyShare() throws SQLException {
    compare(Run::new, MORE_THAN_ARE_TOLD);
  }

  private static void compare(Maker maker, int few) throws SQLException {
    try (PostgresServer server =
            PostgresServer.launch(
                "shared_preload_libraries=pg_stat_statements",
                "full_page_writes=off",
                "autovacuum=off");
        PostgresSchema schema = PostgresSchema.make(server);
        Connection connection = DriverManager.getConnection(schema.uri());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE EXTENSION pg_stat_statements");
      LockBackend backend =
          schema.backend(
              ServerSettings.standard(), BackendOptions.DEFAULTS.withMaxWaiters(2 * MANY));
      // Both first, so that the indexes are as deep for the one as for the other.
      Crowd small = maker.make(backend, "few", few);
      Crowd large = maker.make(backend, "many", MANY);
      small.renew();
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
