package io.holdfast.jdbc.rules;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.fixtures.ServerSchema.connect;
import static io.holdfast.jdbc.fixtures.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.JdbcLockProvider;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.OtherTransaction;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.server.ServerProcess;
import io.holdfast.testing.server.DatabaseServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What goes wrong with any database server. */
public interface ServerFailureRules {

  Duration SHORT = Duration.ofMillis(700);

  DatabaseServer server();

  /** Where the tables are, made empty for each test. */
  ServerSchema schema();

  @Test
  default void aDatabaseThatIsNotThereIsSaidToBeMissing() {
    assertThatThrownBy(() -> connect(server().uri().replaceFirst("/\\w+\\?", "/nowhere?")))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("/nowhere does not exist");
  }

  @Test
  default void aServerThatIsDownMayComeBack() {
    String uri =
        server().uri().replace(":" + server().port() + "/", ":" + ServerProcess.freePort() + "/");

    BackendFailure failure = catchThrowableOfType(BackendFailure.class, () -> connect(uri));

    assertThat(failure.effect()).isEqualTo(Effect.NONE);
    assertThat(failure).hasMessageContaining("cannot be reached");
  }

  /** A driver tells why the last host did not let it in. */
  @Test
  default void whatTheServerSaysIsToldThoughTheLastHostIsDown() {
    String addresses =
        "127.0.0.1:%d,127.0.0.1:%d".formatted(server().port(), ServerProcess.freePort());

    assertThatThrownBy(
            () -> connect(schema().uri(addresses).replaceFirst("user=\\w+", "user=stranger")))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("refused the login");
  }

  /** A client that has read the version and was paused may go on when it is another one. */
  @Test
  default void aSessionIsOpenedUnderItsOwnVersionAlone() {
    session(schema().backend());
    ServerSettings paused =
        ServerSettings.standard()
            .onStatement(
                statement -> {
                  if (statement.contains("sessions} (id, ttl")) {
                    schema().execute("UPDATE holdfast_namespace SET protocol = 99");
                  }
                });
    LockBackend backend = schema().backend(paused, BackendOptions.DEFAULTS);

    // MariaDB takes the refusal for another server first, and replaces the connection.
    assertThatThrownBy(() -> session(backend)).isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> session(backend))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("version 99");
  }

  @Test
  default void tablesOfAnotherVersionAreRefused() {
    session(schema().backend());
    schema().execute("UPDATE holdfast_namespace SET protocol = 99");

    assertThatThrownBy(schema()::backend)
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("protocol version 99");
  }

  @Test
  default void tablesThatAreNotOursAreRefused() {
    schema().execute("CREATE TABLE holdfast_locks (name text)");

    assertThatThrownBy(schema()::backend)
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("holdfast_locks");
  }

  /** They were there when the client connected, and its connections do not look each time. */
  @Test
  default void tablesRemovedWhileInUseAreMissedAndMadeAgain() {
    // given
    LockBackend backend = schema().backend();
    session(backend);

    // when
    schema().tables().forEach(table -> schema().execute("DROP TABLE " + table));

    // then
    assertThatThrownBy(() -> session(backend))
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("removed while in use");
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(BackendUnusableException.class)
        .until(() -> take(backend, request(session(backend), "a", IfHeld.REFUSE)).number() > 0);
  }

  @Test
  default void manyMayMakeTheTablesAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<LockBackend>> made = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        made.add(threads.submit(() -> connect(schema().uri())));
      }
      for (Future<LockBackend> backend : made) {
        session(backend.get());
        backend.get().close();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  default void aVerbReturnsByItsDeadlineWhenTheServerStandsStill() {
    LockBackend backend = schema().backend();
    Request request = request(session(backend), "a", IfHeld.REFUSE);
    server().pause();
    try {
      awaitUnknownEffect(backend, request);
    } finally {
      server().resume();
    }
    take(backend, request);
  }

  @Test
  default void connectingReturnsByItsDeadlineWhenTheServerStandsStill() {
    server().pause();
    try {
      assertThatThrownBy(
              () ->
                  new JdbcLockProvider()
                      .connect(schema().uri(), BackendOptions.DEFAULTS, Deadline.in(SHORT)))
          .isInstanceOf(BackendFailure.class);
    } finally {
      server().resume();
    }
  }

  @Test
  default void aLockThatSomebodyElseKeepsLockedDelaysNoOther() throws SQLException {
    // given
    LockBackend backend = schema().backend();
    SessionId mine = session(backend);
    Request held = request(mine, "a", IfHeld.REFUSE);
    take(backend, held);
    try (OtherTransaction transaction = OtherTransaction.at(schema().uri())) {
      transaction.change(
          "UPDATE holdfast_locks SET since = since WHERE name = ?", (Object) held.name().bytes());

      // when
      Request request = request(mine, "a", IfHeld.REFUSE);
      awaitUnknownEffect(backend, request);

      // then
      take(backend, request(mine, "b", IfHeld.REFUSE));
      backend.renew(mine, soon());
    }
  }

  /** A deadline that passes before anything is sent is another failure, without an effect. */
  private static void awaitUnknownEffect(LockBackend backend, Request request) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                catchThrowableOfType(
                            BackendFailure.class, () -> backend.grab(request, Deadline.in(SHORT)))
                        .effect()
                    == Effect.UNKNOWN);
  }

  static void awaitRenewed(LockBackend backend, SessionId session) {
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(BackendFailure.class)
        .until(() -> backend.renew(session, soon()) instanceof Renewed.Alive);
  }
}
