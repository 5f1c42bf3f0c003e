package io.holdfast.benchmarks.rungs;

import io.holdfast.benchmarks.contender.AdapterContender;
import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.StoreKind;
import io.holdfast.jdbc.connections.DatabaseName;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.h2.H2Database;
import io.holdfast.jdbc.h2.H2Dialect;
import io.holdfast.jdbc.h2.H2Uri;
import io.holdfast.jdbc.mariadb.MariaDatabase;
import io.holdfast.jdbc.mariadb.MariaSource;
import io.holdfast.jdbc.postgres.PostgresDatabase;
import io.holdfast.jdbc.postgres.PostgresSource;
import io.holdfast.jdbc.sqlite.SqliteDatabase;
import io.holdfast.jdbc.sqlite.SqliteDialect;
import io.holdfast.jdbc.sqlite.SqliteFile;
import io.holdfast.jdbc.sqlite.SqliteSettings;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The ladders of the stores that have one. */
public final class Ladders {

  private static final ServerSettings SETTINGS = ServerSettings.standard().prefix(SqlRung.PREFIX);

  private static final Set<StoreKind> WITH_LADDER =
      EnumSet.of(
          StoreKind.SQLITE, StoreKind.POSTGRESQL, StoreKind.MARIADB, StoreKind.H2, StoreKind.REDIS);

  private Ladders() {}

  /** Returns whether a store of that kind has a ladder. */
  public static boolean exists(StoreKind kind) {
    return WITH_LADDER.contains(kind);
  }

  /**
   * Returns the rungs of a store from the limit to the client, the adapter's the last but one.
   *
   * @throws IllegalArgumentException if there is no ladder on it
   */
  public static List<Rung> of(StoreKind kind, BenchmarkStore store) {
    String uri = store.uri();
    List<Rung> between =
        switch (kind) {
          case SQLITE ->
              sqlRungs(
                  () ->
                      new SqliteDatabase(
                          SqliteFile.ofUri(uri), SqliteSettings.standard().prefix(SqlRung.PREFIX)),
                  EmbeddedRungs.steps(new SqliteDialect(), "UPDATE OR ROLLBACK "));
          case H2 ->
              sqlRungs(
                  () -> new H2Database(new H2Uri(uri), SETTINGS),
                  EmbeddedRungs.steps(new H2Dialect(), "UPDATE "));
          case POSTGRESQL ->
              sqlRungs(
                  () ->
                      new PostgresDatabase(
                          DatabaseName.ofUrl(uri),
                          SETTINGS,
                          new PostgresSource(uri),
                          DeadlineTimer.NONE),
                  PostgresRungs.steps());
          case MARIADB ->
              sqlRungs(
                  () ->
                      new MariaDatabase(
                          DatabaseName.ofUrl(uri),
                          SETTINGS,
                          new MariaSource(uri),
                          DeadlineTimer.NONE),
                  MariaRungs.steps());
          case REDIS -> redisRungs(uri);
          case ETCD, ZOOKEEPER, MONGODB, MEMORY ->
              throw new IllegalArgumentException("There is no ladder on " + kind.label());
        };
    return ladder(store, between);
  }

  private static List<Rung> sqlRungs(Supplier<LockDatabase> database, List<SqlStep> steps) {
    List<Rung> rungs = new ArrayList<>();
    for (SqlStep step : steps) {
      Contender contender = new SqlRung(name(rungs), database, step);
      rungs.add(new Rung(step.adds(), step.clause(), contender));
    }
    return rungs;
  }

  private static List<Rung> redisRungs(String uri) {
    List<Rung> rungs = new ArrayList<>();
    for (RedisStep step : RedisRungs.steps()) {
      Contender contender = new RedisRung(name(rungs), uri, step);
      rungs.add(new Rung(step.adds(), step.clause(), contender));
    }
    return rungs;
  }

  /** The limit is rung 0. */
  private static String name(List<Rung> below) {
    return "rung " + (below.size() + 1);
  }

  private static List<Rung> ladder(BenchmarkStore store, List<Rung> between) {
    List<Contender> contenders = store.contenders();
    List<Rung> rungs = new ArrayList<>();
    rungs.add(new Rung("the limit: one owner is stored and deleted", "", contenders.get(0)));
    rungs.addAll(between);
    rungs.add(
        new Rung(
            "the adapter: its verbs, without the engine", "", new AdapterContender(store.uri())));
    rungs.add(new Rung("the client: turns, leases and deadlines", "", contenders.get(1)));
    return rungs;
  }
}
