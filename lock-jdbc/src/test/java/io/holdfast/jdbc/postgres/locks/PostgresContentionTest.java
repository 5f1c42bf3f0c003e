package io.holdfast.jdbc.postgres.locks;

import static io.holdfast.jdbc.fixtures.LockFile.observed;
import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.jdbc.JdbcLockProvider;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.OtherTransaction;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.jdbc.postgres.PostgresSchema;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions that get in each other's way: settings that make them fail, and deadlocks. */
class PostgresContentionTest extends OnPostgres {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);
  private static final String LOCK = "UPDATE holdfast_locks SET since = since WHERE name = ?";
  private static final int CLIENTS = 4;
  private static final int ROUNDS = 50;

  @BeforeAll
  static void makeRole() {
    try (PostgresSchema any = PostgresSchema.make(server)) {
      any.execute("CREATE ROLE app LOGIN SUPERUSER");
    }
  }

  @AfterEach
  void resetRole() {
    schema.execute("ALTER ROLE app RESET ALL");
  }

  private static Object bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private static int grabAndRelease(String uri) {
    try (LockBackend backend =
        new JdbcLockProvider().connect(uri, BackendOptions.DEFAULTS, soon())) {
      SessionId session = session(backend);
      int granted = 0;
      for (int i = 0; i < ROUNDS; i++) {
        Request request = request(session, "a", IfHeld.QUEUE);
        granted += backend.grab(request, soon()) instanceof Attempt.Granted ? 1 : 0;
        backend.release(request.name(), request.id(), soon());
        backend.renew(session, soon());
      }
      return granted;
    }
  }

  private void contendWith(String setting) throws Exception {
    schema.execute("ALTER ROLE app SET " + setting);
    String uri = schema.uri().replace("user=postgres", "user=app");
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<Integer>> granted = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        granted.add(threads.submit(() -> grabAndRelease(uri)));
      }
      for (Future<Integer> each : granted) {
        assertThat(each.get()).isPositive();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(schema.text("SELECT holder FROM holdfast_locks")).isEmpty();
  }

  @Test
  void nothingFailsWhereTransactionsAreSerializableByDefault() throws Exception {
    contendWith("default_transaction_isolation = 'serializable'");
  }

  @Test
  void nothingFailsWhereStatementsMayNotWaitForRowsByDefault() throws Exception {
    contendWith("lock_timeout = '1ms'");
  }

  @Test
  void nothingFailsWhereTransactionsOnlyReadByDefault() throws Exception {
    contendWith("default_transaction_read_only = on");
  }

  private void awaitThatOursWaits() {
    await()
        .atMost(WAIT_MAX)
        .until(
            () ->
                schema
                    .text(
                        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'holdfast' AND wait_event_type = 'Lock'")
                    .equals("1"));
  }

  /** It was found by what it was when the sweep began. */
  @Test
  void aSweepLeavesASessionThatIsRenewedMeanwhile() throws SQLException {
    // given
    LockBackend backend =
        schema.backend(ServerSettings.standard().idle(Duration.ZERO), BackendOptions.DEFAULTS);
    SessionId session = session(backend, Duration.ofSeconds(60));
    long renewed = Long.parseLong(schema.text("SELECT renewed FROM holdfast_sessions"));
    schema.moveTimes(Duration.ofHours(1).negated());
    try (OtherTransaction transaction = OtherTransaction.at(schema.uri())) {
      transaction.change("UPDATE holdfast_sessions SET renewed = ?", renewed);

      // when
      CompletableFuture<Integer> sweep = CompletableFuture.supplyAsync(() -> backend.sweep(soon()));
      awaitThatOursWaits();
      transaction.commit();

      // then
      assertThat(sweep.join()).isZero();
    }
    assertThat(backend.renew(session, soon())).isInstanceOf(Renewed.Alive.class);
  }

  /**
   * The stay was not there yet when the revocation began, and is what it finds when the row is its.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE holdfast_locks SET stay = 'lock-delay', stay_for = lock_delay, lock_delay = 0, version = version + 1",
        "UPDATE holdfast_locks SET stay = 'at-least', stay_for = lock_delay, lock_delay = 0, holder = '~' || holder, version = version + 1"
      })
  void aRevocationRemovesWhoBeginsToStayMeanwhile(String beginsToStay) throws SQLException {
    // given
    LockBackend backend = schema.backend();
    SessionId dead = session(backend);
    Request request = request(dead, "a", IfHeld.REFUSE).lockDelay(Duration.ofHours(1));
    long number = take(backend, request).number();
    backend.end(dead, EndIf.CLOSED, soon());
    try (OtherTransaction transaction = OtherTransaction.at(schema.uri())) {
      transaction.change(beginsToStay);

      // when
      CompletableFuture<Revocation> revocation =
          CompletableFuture.supplyAsync(
              () -> backend.revoke(observed(request, number), RevokeWhen.SAFELY, soon()));
      awaitThatOursWaits();
      transaction.commit();

      // then
      assertThat(revocation.join()).isEqualTo(new Revocation.Freed());
    }
    assertThat(schema.text("SELECT holder FROM holdfast_locks")).isEmpty();
  }

  /** A sweep is the one call that changes several records at once. */
  @Test
  void aSweepThatIsTheVictimOfADeadlockFailsAndLeavesNothingHeld() throws SQLException {
    // given
    LockBackend backend =
        schema.backend(ServerSettings.standard().idle(Duration.ZERO), BackendOptions.DEFAULTS);
    SessionId session = session(backend);
    for (String name : List.of("a", "b")) {
      Request request = request(session, name, IfHeld.REFUSE);
      take(backend, request);
      backend.release(request.name(), request.id(), soon());
    }
    try (OtherTransaction transaction = OtherTransaction.at(schema.uri())) {
      transaction.change("SET deadlock_timeout = '1h'");
      transaction.change(LOCK, bytes("b"));

      // when
      CompletableFuture<BackendFailure> sweep =
          CompletableFuture.supplyAsync(
              () -> catchThrowableOfType(BackendFailure.class, () -> backend.sweep(soon())));
      awaitThatOursWaits();
      transaction.change(LOCK, bytes("a"));

      // then
      assertThat(sweep.join()).hasMessageContaining("in its way");
    }
    for (String name : List.of("a", "b")) {
      take(backend, request(session, name, IfHeld.REFUSE));
    }
  }
}
