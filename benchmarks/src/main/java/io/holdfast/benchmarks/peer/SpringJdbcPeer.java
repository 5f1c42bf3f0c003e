package io.holdfast.benchmarks.peer;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Spring Integration's registry of locks in a database.
 *
 * @param url the JDBC URL, with the user
 * @param product the end of the name of its script that makes the tables
 */
record SpringJdbcPeer(String url, String product) implements Peer {

  private static final String SCRIPTS = "org/springframework/integration/jdbc/schema-%s.sql";

  @Override
  public String name() {
    return "Spring JdbcLockRegistry";
  }

  @Override
  public String settings() {
    return "DefaultLockRepository with its defaults (TTL 10 s, not renewed) and the tables of"
        + " schema-%s.sql, lock() and unlock(), ".formatted(product)
        + ConnectionPool.SETTINGS;
  }

  @Override
  public OpenContender open(int threads) {
    HikariDataSource database = ConnectionPool.open(url, threads);
    // Present tables stay: the script knows no IF NOT EXISTS.
    new ResourceDatabasePopulator(
            true, false, null, new ClassPathResource(SCRIPTS.formatted(product)))
        .execute(database);
    DefaultLockRepository repository = repository(database);
    JdbcLockRegistry registry = new JdbcLockRegistry(repository);
    return new OpenContender() {
      @Override
      public LockPair pair(String name) {
        return () -> JavaLock.takeAndGiveBack(registry.obtain(name));
      }

      @Override
      public void close() {
        repository.stop();
        repository.close();
        database.close();
      }
    };
  }

  /** As a Spring context makes it. */
  private static DefaultLockRepository repository(HikariDataSource database) {
    DefaultLockRepository repository = new DefaultLockRepository(database);
    repository.setTransactionManager(new DataSourceTransactionManager(database));
    repository.afterPropertiesSet();
    repository.afterSingletonsInstantiated();
    repository.start();
    return repository;
  }
}
