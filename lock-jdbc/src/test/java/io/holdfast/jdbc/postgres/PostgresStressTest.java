package io.holdfast.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.jdbc.fixtures.GrantJudge;
import io.holdfast.jdbc.fixtures.StressedClient;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Many clients join, release, give up and die at the same time. And statements that lack one of the
 * comparisons on which everything depends are found out.
 */
class PostgresStressTest extends OnPostgres {

  private static final int CLIENTS = 8;
  private static final int GRANTS = 3_000;
  private static final int GRANTS_OF_MUTANT_MAX = 20_000;
  private static final List<String> CROWDED = List.of("a");

  /** Two clients a name: a queue is empty one moment and not the next. */
  private static final List<String> SPARSE = List.of("a", "b", "c", "d");

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PATIENCE_WITH_MUTANT = Duration.ofSeconds(5);

  private GrantJudge play(LockBackend backend, List<String> names, long grants, Duration patience)
      throws Exception {
    GrantJudge judge = new GrantJudge();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<?>> players = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        StressedClient client = new StressedClient(backend, judge, names, i, patience);
        players.add(
            threads.submit(
                () -> {
                  while (judge.grants() < grants && judge.found().isEmpty()) {
                    client.act();
                  }
                }));
      }
      for (Future<?> player : players) {
        player.get();
      }
    } finally {
      threads.shutdownNow();
    }
    return judge;
  }

  private static Stream<List<String>> names() {
    return Stream.of(CROWDED, SPARSE);
  }

  @ParameterizedTest
  @MethodSource("names")
  void nobodyIsLostOrStrandedAndNoLockHasTwoHolders(List<String> names) throws Exception {
    GrantJudge judge = play(schema.backend(), names, GRANTS, PATIENCE);

    assertThat(judge.found()).isEmpty();
    assertThat(judge.grants()).isGreaterThanOrEqualTo(GRANTS);
    assertThat(
            schema.text(
                "SELECT count(*) FROM holdfast_queue q, holdfast_locks l WHERE q.name = l.name AND q.pos <= l.head"))
        .as("entries of those who do not wait any more")
        .isEqualTo("0");
  }

  /** What was done to the statements is found out, or they would not need it. */
  @ParameterizedTest
  @CsvSource({"version, l.version = s.version, 1 = 1", "tail, l.tail = s.tail, 1 = 1"})
  void aStatementThatDoesNotCompareIsFoundOut(String what, String compared, String instead)
      throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(rewriting(text -> text.replace(compared, instead)));
    config.setMaximumPoolSize(CLIENTS + JdbcLocks.CONNECTIONS);
    try (HikariDataSource mutant = new HikariDataSource(config);
        LockBackend backend =
            JdbcLocks.on(mutant).connect(BackendOptions.DEFAULTS, PostgresSchema.soon())) {
      Optional<String> found =
          play(backend, SPARSE, GRANTS_OF_MUTANT_MAX, PATIENCE_WITH_MUTANT).found();

      assertThat(found).as("what comes of not comparing the %s", what).isPresent();
    }
  }

  /** Returns connections that change the text of each statement that they prepare. */
  private DataSource rewriting(UnaryOperator<String> change) {
    PGSimpleDataSource real = new PGSimpleDataSource();
    real.setUrl(schema.uri());
    return proxy(
        DataSource.class,
        real,
        (name, result) ->
            result instanceof Connection connection ? rewriting(connection, change) : result,
        UnaryOperator.identity());
  }

  private static Connection rewriting(Connection connection, UnaryOperator<String> change) {
    return proxy(Connection.class, connection, (name, result) -> result, change);
  }

  @FunctionalInterface
  private interface Result {
    Object of(String method, Object result);
  }

  private static <T> T proxy(
      Class<T> type, T target, Result results, UnaryOperator<String> change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, given) -> {
              if (method.getName().equals("prepareStatement")) {
                given[0] = change.apply((String) given[0]);
              }
              try {
                return results.of(method.getName(), method.invoke(target, given));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
