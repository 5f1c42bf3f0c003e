package io.holdfast.benchmarks.peer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** The connections of the peers that take theirs from a data source. */
final class ConnectionPool {

  /** For the settings of each peer. */
  static final String SETTINGS = "HikariCP of as many connections as threads, driver's defaults";

  private ConnectionPool() {}

  /**
   * Connects.
   *
   * @param url the JDBC URL, with the user
   * @param threads how many connections there are
   */
  static HikariDataSource open(String url, int threads) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(threads);
    return new HikariDataSource(config);
  }
}
