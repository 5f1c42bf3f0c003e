package io.holdfast.benchmarks.peer;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * ShedLock in a database, by its clock.
 *
 * @param url the JDBC URL, with the user
 * @param timestamp the type of a time in its table
 */
record ShedLockJdbcPeer(String url, String timestamp) implements Peer {

  @Override
  public String name() {
    return "ShedLock JDBC";
  }

  @Override
  public boolean waitsForLocks() {
    return false;
  }

  @Override
  public String settings() {
    return ShedLockPair.SETTINGS
        + ", JdbcTemplateLockProvider with usingDbTime(), "
        + ConnectionPool.SETTINGS;
  }

  @Override
  public OpenContender open(int threads) {
    HikariDataSource database = ConnectionPool.open(url, threads);
    JdbcTemplate template = new JdbcTemplate(database);
    template.execute(
        """
        CREATE TABLE IF NOT EXISTS shedlock (
          name VARCHAR(64) NOT NULL PRIMARY KEY,
          lock_until %1$s NOT NULL,
          locked_at %1$s NOT NULL DEFAULT CURRENT_%1$s,
          locked_by VARCHAR(255) NOT NULL)"""
            .formatted(timestamp));
    LockProvider provider =
        new JdbcTemplateLockProvider(
            JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(template)
                .usingDbTime()
                .build());
    return new OpenContender() {
      @Override
      public LockPair pair(String lock) {
        return new ShedLockPair(provider, lock);
      }

      @Override
      public void close() {
        database.close();
      }
    };
  }
}
