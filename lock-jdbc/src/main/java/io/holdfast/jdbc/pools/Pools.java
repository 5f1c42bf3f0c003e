package io.holdfast.jdbc.pools;

import com.zaxxer.hikari.HikariConfig;
import io.holdfast.jdbc.connections.BackendThreads;
import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import java.util.List;

/** Makes the HikariCP pools of a backend. */
public final class Pools {

  /** So that the one in use is not the only one: a heartbeat that hangs holds up no other. */
  public static final int HEARTBEATS = 2;

  private static final int LOGINS_AT_ONCE = 3;

  private final Database database;
  private final BackendThreads threads;
  private final HikariConfig heartbeats;
  private final HikariConfig verbs;

  /** Takes the settings, before there is any connection. */
  Pools(Database database, BackendThreads threads, PoolSettings settings) {
    this.database = database;
    this.threads = threads;
    this.heartbeats = config(threads, settings, "heartbeats", HEARTBEATS);
    heartbeats.setMinimumIdle(HEARTBEATS);
    heartbeats.setMaxLifetime(0); // An application's pool decides about the lifetime of its own.
    this.verbs = config(threads, settings, "verbs", settings.connections());
    verbs.setMinimumIdle(1);
  }

  /**
   * Returns a pool whose connections are made at the start and always there. None is replaced while
   * it works: HikariCP would close it first, and a server that admits no login at that moment would
   * end every lease.
   */
  Lender forHeartbeats() {
    return new PoolLender(database, threads, opener(LOGINS_AT_ONCE, List.of()), heartbeats);
  }

  /** Returns a pool that grows as needed, and begins with a connection. */
  Lender forVerbs(DatabaseConnection first) {
    return new PoolLender(database, threads, opener(LOGINS_AT_ONCE, List.of(first)), verbs);
  }

  /** Returns a pool that keeps connections of an application. */
  Lender ofApplication(List<DatabaseConnection> kept) {
    return new PoolLender(database, threads, opener(1, kept), heartbeats);
  }

  private ConnectionOpener opener(int atOnce, List<DatabaseConnection> made) {
    return new ConnectionOpener(database, threads, atOnce, made);
  }

  private static HikariConfig config(
      BackendThreads threads, PoolSettings settings, String purpose, int limit) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(settings.name().orElse(threads.name()) + "-" + purpose);
    config.setThreadFactory(BackendThreads.daemons(threads.name() + "-" + purpose));
    config.setMaximumPoolSize(limit);
    config.setMaxLifetime(settings.maxLifetime().toMillis());
    config.setIdleTimeout(settings.idleTimeout().toMillis());
    config.setLeakDetectionThreshold(settings.leakDetection().toMillis());
    // The backend has connected to the database once already.
    config.setInitializationFailTimeout(-1);
    // It would take a connection away from heartbeats, which keep it alive themselves.
    config.setKeepaliveTime(0);
    // A file of settings for the application's own pools may say otherwise. Our connections are set
    // up before HikariCP gets them, and have nothing that could be set.
    config.setAutoCommit(true);
    config.setReadOnly(false);
    config.setCatalog(null);
    config.setSchema(null);
    config.setTransactionIsolation(null);
    config.setConnectionInitSql(null);
    config.setConnectionTestQuery(null);
    settings.metricRegistry().ifPresent(config::setMetricRegistry);
    return config;
  }
}
