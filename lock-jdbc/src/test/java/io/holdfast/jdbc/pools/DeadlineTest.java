package io.holdfast.jdbc.pools;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.fixtures.ServerSchema.connect;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionId;
import io.holdfast.SessionState;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** No call outlasts its deadline, and one that hangs holds up nobody else. */
class DeadlineTest extends OnPostgres {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(700);

  @Test
  void aServerThatDripsHoldsNoCallBeyondItsDeadline() throws Exception {
    try (DrippingRelay relay = new DrippingRelay(server.port());
        LockBackend backend =
            connect(schema.uri().replace(":" + server.port(), ":" + relay.port()))) {
      // given
      SessionId mine = session(backend);
      Request request = request(mine, "a", IfHeld.REFUSE);

      // when
      relay.drip(true);
      CompletableFuture<Void> grab =
          CompletableFuture.runAsync(() -> backend.grab(request, Deadline.in(SHORT)));
      CompletableFuture<Void> renewal =
          CompletableFuture.runAsync(() -> backend.renew(mine, Deadline.in(SHORT)));

      // then
      assertThat(grab)
          .failsWithin(WAIT_MAX)
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(BackendFailure.class);
      assertThat(renewal)
          .failsWithin(WAIT_MAX)
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(BackendFailure.class);
      relay.drip(false);
      // A login that was begun meanwhile may still break off.
      await()
          .atMost(WAIT_MAX)
          .ignoreExceptionsInstanceOf(BackendFailure.class)
          .until(() -> backend.renew(mine, soon()) instanceof Renewed.Alive);
      await()
          .atMost(WAIT_MAX)
          .ignoreExceptionsInstanceOf(BackendFailure.class)
          .until(() -> backend.grab(request, soon()) instanceof Attempt.Granted);
    }
  }

  @Test
  void aHeartbeatThatHangsHoldsUpNoOtherSessions() throws Exception {
    // given
    LockBackend backend = schema.backend();
    SessionId stuck = session(backend);
    SessionId mine = session(backend);
    backend.renew(mine, soon());
    try (Connection transaction = DriverManager.getConnection(schema.uri());
        Statement statement = transaction.createStatement()) {
      transaction.setAutoCommit(false);
      statement.executeUpdate(
          "UPDATE holdfast_sessions SET ttl = ttl WHERE id = '%s'".formatted(stuck));

      // when
      CompletableFuture<Renewed> hangs =
          CompletableFuture.supplyAsync(() -> backend.renew(stuck, Deadline.in(WAIT_MAX)));
      await().atMost(WAIT_MAX).until(this::somebodyWaitsForARow);

      // then
      assertThat(backend.renew(mine, soon())).isInstanceOf(Renewed.Alive.class);
      assertThat(hangs).isNotDone();
      transaction.rollback();
      assertThat(hangs.get(WAIT_MAX.toSeconds(), SECONDS)).isInstanceOf(Renewed.Alive.class);
    }
  }

  private boolean somebodyWaitsForARow() {
    return !schema
        .text("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
        .isEmpty();
  }

  @Test
  void releasesDoNotQueueBehindGrabsThatHang() throws Exception {
    // given
    LockBackend backend = schema.backend();
    SessionId mine = session(backend);
    Request held = request(mine, "b", IfHeld.REFUSE);
    take(backend, request(mine, "a", IfHeld.REFUSE));
    take(backend, held);
    try (Connection transaction = DriverManager.getConnection(schema.uri());
        Statement statement = transaction.createStatement()) {
      transaction.setAutoCommit(false);
      statement.executeUpdate("UPDATE holdfast_locks SET since = since WHERE name = 'a'");

      // when
      for (int i = 0; i < PoolSettings.standard().connections(); i++) {
        CompletableFuture<Void> unused =
            CompletableFuture.runAsync(
                () -> backend.grab(request(mine, "a", IfHeld.REFUSE), Deadline.in(WAIT_MAX)),
                task -> new Thread(task).start());
      }
      BackendFailure busy = awaitBusy(backend, mine);

      // then
      assertThat(busy.effect()).isEqualTo(Effect.NONE);
      backend.release(held.name(), held.id(), soon());
      assertThat(backend.renew(mine, soon())).isInstanceOf(Renewed.Alive.class);
      transaction.rollback();
    }
  }

  private static BackendFailure awaitBusy(LockBackend backend, SessionId session) {
    BackendFailure[] busy = new BackendFailure[1];
    await()
        .atMost(WAIT_MAX)
        .until(
            () -> {
              try {
                backend.look(session, List.of(), Deadline.in(Duration.ofMillis(200)));
                return false;
              } catch (BackendFailure e) {
                busy[0] = e;
                // A machine that stands still for so long fails it in other ways, too.
                return e.effect() == Effect.NONE;
              }
            });
    return busy[0];
  }

  @Test
  void aGrantOutlivesAServerThatIsAwayForLessThanItsGrace() {
    Queue<SessionState> states = new ConcurrentLinkedQueue<>();
    try (LockClient client =
        Holdfast.builder()
            .defaultTtl(Duration.ofSeconds(3))
            .grace(WAIT_MAX)
            .listener(
                event -> {
                  if (event instanceof LockEvent.SessionStateChanged changed) {
                    states.add(changed.to());
                  }
                })
            .connect(schema.uri())) {
      // given
      Grant held = client.lock("a").acquire(WAIT_MAX);

      // when
      server.kill();
      await().atMost(WAIT_MAX).until(() -> !held.isHeld());
      await().atMost(WAIT_MAX).until(() -> states.contains(SessionState.JEOPARDY));
      server.start();

      // then
      held.check();
      await()
          .atMost(WAIT_MAX)
          .untilAsserted(
              () ->
                  assertThat(states)
                      .containsSubsequence(SessionState.JEOPARDY, SessionState.SAFE)
                      .doesNotContain(SessionState.EXPIRED));
      assertThat(held.release()).isEqualTo(ReleaseOutcome.FREED);
    }
  }

  @Test
  void nothingIsLeftOfABackendThatIsClosed() {
    LockBackend backend = schema.backend();
    SessionId mine = session(backend);
    backend.renew(mine, soon());
    backend.close();

    await()
        .atMost(WAIT_MAX)
        .until(
            () ->
                schema
                    .text("SELECT pid FROM pg_stat_activity WHERE application_name = 'holdfast'")
                    .isEmpty());
    await()
        .atMost(WAIT_MAX)
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("holdfast-jdbc-")));
    assertThatThrownBy(() -> backend.renew(mine, soon())).isInstanceOf(BackendFailure.class);
  }
}
