package io.holdfast.jdbc;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Renewed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/** Whoever asks for a connection of an application may wait for it for ever; never the caller. */
class HangingPoolTest extends OnPostgres {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  /** More than the adapter ever had threads for. */
  private static final int CALLS = 40;

  private static final int CONNECTIONS = 8;

  private HangingPool hanging;
  private JdbcTemplate jdbc;
  private TransactionTemplate transaction;
  private LockBackend backend;
  private SessionId mine;

  @BeforeEach
  void connect() {
    schema.execute("CREATE TABLE orders (id integer)");
    hanging = new HangingPool(schema.uri());
    TransactionAwareDataSourceProxy aware = new TransactionAwareDataSourceProxy(hanging);
    jdbc = new JdbcTemplate(aware);
    transaction = new TransactionTemplate(new DataSourceTransactionManager(hanging));
    backend = JdbcLocks.on(aware).connections(CONNECTIONS).connect(BackendOptions.DEFAULTS, soon());
    mine = session(backend);
  }

  @AfterEach
  void close() {
    hanging.giveAgain();
    backend.close();
  }

  private BackendFailure failedGrab() {
    return catchThrowableOfType(
        BackendFailure.class,
        () -> backend.grab(request(mine, "a", IfHeld.REFUSE), Deadline.in(SHORT)));
  }

  @Test
  void aCallersTransactionIsLeftAloneWhileNoConnectionIsGiven() {
    // given
    hang();

    // when
    hanging.asking().clear();
    transaction.executeWithoutResult(
        status -> {
          jdbc.update("INSERT INTO orders VALUES (1)");
          hanging.asking().remove(Thread.currentThread());
          // Its time may be over before it asks, if the machine stands still.
          await().atMost(WAIT_MAX).pollInSameThread().until(this::failsForWantOfConnections);
        });

    // then
    assertThat(schema.text("SELECT count(*) FROM orders")).isEqualTo("1");
    assertThat(hanging.asking()).doesNotContain(Thread.currentThread());
    assertThat(hanging.waiting()).isEqualTo(CONNECTIONS);
  }

  private boolean failsForWantOfConnections() {
    BackendFailure failure = failedGrab();
    if (failure == null) {
      return false;
    }
    assertThat(failure.effect()).isEqualTo(Effect.NONE);
    return requireNonNull(failure.getMessage())
        .contains("%d of the %d".formatted(CONNECTIONS, CONNECTIONS));
  }

  private void hang() {
    hanging.hang();
    for (int calls = 0; calls < CALLS; calls += CONNECTIONS) {
      List<CompletableFuture<BackendFailure>> round = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        round.add(failedCall());
      }
      round.forEach(failed -> assertThat(failed).succeedsWithin(WAIT_MAX));
    }
  }

  private CompletableFuture<BackendFailure> failedCall() {
    CompletableFuture<BackendFailure> failed = new CompletableFuture<>();
    Thread caller = new Thread(() -> failed.complete(failedGrab()), "caller");
    caller.setDaemon(true);
    caller.start();
    return failed;
  }

  @Test
  void heartbeatsAndReleasesGoOnAndTheRestDoesWhenConnectionsAreGivenAgain() {
    // given
    Request held = request(mine, "b", IfHeld.REFUSE);
    take(backend, held);
    hang();

    // then
    assertThat(backend.renew(mine, soon())).isInstanceOf(Renewed.Alive.class);
    backend.release(held.name(), held.id(), soon());

    // when
    hanging.giveAgain();

    // then
    take(backend, request(mine, "a", IfHeld.REFUSE));
    await().atMost(WAIT_MAX).until(() -> hanging.waiting() == 0);
  }

  /** Also while nothing answers the requests for connections, and though they heed no interrupt. */
  @Test
  void closingWaitsForNoConnectionThatNeverComes() {
    hang();

    assertThat(CompletableFuture.runAsync(backend::close)).succeedsWithin(WAIT_MAX);
    assertThat(hanging.waiting()).isEqualTo(CONNECTIONS);
  }
}
