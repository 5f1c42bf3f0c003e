package io.holdfast.jdbc;

import com.zaxxer.hikari.HikariConfig;
import java.util.List;

/** Makes the HikariCP pools of a backend. */
final class Pools {

  /** So that the one in use is not the only one: a heartbeat that hangs holds up no other. */
  static final int HEARTBEATS = 2;

  private static final int LOGINS_AT_ONCE = 3;

  private final Database database;
  private final OwnThreads threads;
  private final HikariConfig heartbeats;
  private final HikariConfig verbs;

  /** Takes the settings, before there is any connection. */
  Pools(Database database, OwnThreads threads, PoolSettings settings) {
    this.database = database;
    this.threads = threads;
    this.heartbeats = config(threads, settings, "heartbeats", HEARTBEATS);
    heartbeats.setMinimumIdle(HEARTBEATS);
    this.verbs = config(threads, settings, "verbs", settings.connections());
    verbs.setMinimumIdle(1);
  }

  /** Returns a pool whose connections are made at the start and always there. */
  Lender forHeartbeats() {
    return new PoolLender(database, threads, logins(LOGINS_AT_ONCE, List.of()), heartbeats);
  }

  /** Returns a pool that grows as needed, and begins with a connection. */
  Lender forVerbs(Link first) {
    return new PoolLender(database, threads, logins(LOGINS_AT_ONCE, List.of(first)), verbs);
  }

  /** Returns a pool that keeps connections of an application. */
  Lender ofApplication(List<Link> kept) {
    heartbeats.setMaxLifetime(0); // How long they live is for its pool to say.
    return new PoolLender(database, threads, logins(1, kept), heartbeats);
  }

  private Logins logins(int atOnce, List<Link> made) {
    return new Logins(database, threads, atOnce, made);
  }

  private static HikariConfig config(
      OwnThreads threads, PoolSettings settings, String purpose, int most) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(settings.name().orElse(threads.name()) + "-" + purpose);
    config.setThreadFactory(OwnThreads.daemons(threads.name() + "-" + purpose));
    config.setMaximumPoolSize(most);
    config.setMaxLifetime(settings.maxLifetime().toMillis());
    config.setIdleTimeout(settings.idleTimeout().toMillis());
    config.setLeakDetectionThreshold(settings.leakDetection().toMillis());
    // Whoever connects has seen to it already that there is a way to the database.
    config.setInitializationFailTimeout(-1);
    // It would take a connection away from heartbeats, which keep it alive themselves.
    config.setKeepaliveTime(0);
    settings.metricRegistry().ifPresent(config::setMetricRegistry);
    return config;
  }
}
