package io.holdfast.jdbc;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.ReleaseOutcome;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.record.LockRecord;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The transactions of the caller and the locks that it takes have nothing to do with each other.
 */
class SpringTransactionTest extends OnPostgres {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  private final PGSimpleDataSource plain = new PGSimpleDataSource();
  private TransactionAwareDataSourceProxy dataSource;
  private JdbcTemplate jdbc;
  private TransactionTemplate transaction;

  @BeforeEach
  void makeApplication() {
    schema.execute("CREATE TABLE orders (id integer)");
    plain.setUrl(schema.uri());
    dataSource = new TransactionAwareDataSourceProxy(plain);
    jdbc = new JdbcTemplate(dataSource);
    transaction = new TransactionTemplate(new DataSourceTransactionManager(plain));
  }

  private LockClient client() {
    return Holdfast.builder().connect(JdbcLocks.on(dataSource));
  }

  @Test
  void aLockSurvivesTheTransactionInWhichItWasTaken() {
    try (LockClient other = Holdfast.connect(schema.uri())) {
      // when
      LockClient[] client = new LockClient[1];
      Grant[] held = new Grant[1];
      transaction.executeWithoutResult(
          status -> {
            jdbc.update("INSERT INTO orders VALUES (1)");
            client[0] = client();
            held[0] = client[0].lock("a").acquire(WAIT_MAX);
            assertThat(other.lock("a").tryAcquire()).isEmpty();
            assertThat(schema.text("SELECT count(*) FROM orders")).isEqualTo("0");
            status.setRollbackOnly();
          });

      // then
      assertThat(schema.text("SELECT count(*) FROM orders")).isEqualTo("0");
      held[0].check();
      assertThat(other.find("a").flatMap(LockRecord::holder)).isPresent();
      assertThat(other.lock("a").tryAcquire()).isEmpty();
      client[0].close();
    }
  }

  @Test
  void aReleaseIsNotUndoneWithTheTransactionInWhichItWasDone() {
    try (LockClient client = client();
        LockClient other = Holdfast.connect(schema.uri())) {
      Grant held = client.lock("a").acquire(WAIT_MAX);
      transaction.executeWithoutResult(
          status -> {
            jdbc.update("INSERT INTO orders VALUES (1)");
            held.release();
            status.setRollbackOnly();
          });

      assertThat(other.lock("a").tryAcquire()).isPresent();
      assertThat(schema.text("SELECT count(*) FROM orders")).isEqualTo("0");
    }
  }

  @Test
  void aClientMayBeClosedInATransaction() {
    LockClient client = client();
    client.lock("a").acquire(WAIT_MAX);
    transaction.executeWithoutResult(
        status -> {
          jdbc.update("INSERT INTO orders VALUES (1)");
          client.close();
          assertThat(schema.text("SELECT count(*) FROM orders")).isEqualTo("0");
        });

    assertThat(schema.text("SELECT count(*) FROM orders")).isEqualTo("1");
  }

  @Test
  void aTransactionThatIsOutOfTimeDoesNotConcernALock() {
    try (LockClient client = client()) {
      Grant held = client.lock("a").acquire(WAIT_MAX);
      transaction.setTimeout(1);
      transaction.executeWithoutResult(
          status -> {
            await().pollInSameThread().atMost(WAIT_MAX).until(this::isOutOfTime);
            assertThat(held.release()).isEqualTo(ReleaseOutcome.FREED);
            client.lock("a").acquire(WAIT_MAX).check();
            status.setRollbackOnly();
          });
    }
  }

  /** Asks as a statement does, and sends none: that might have no time left to be answered in. */
  private boolean isOutOfTime() {
    ConnectionHolder bound =
        (ConnectionHolder) requireNonNull(TransactionSynchronizationManager.getResource(plain));
    try {
      return bound.getTimeToLiveInMillis() <= 0;
    } catch (TransactionTimedOutException e) {
      return true;
    }
  }
}
