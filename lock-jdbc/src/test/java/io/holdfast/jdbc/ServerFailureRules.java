package io.holdfast.jdbc;

import static io.holdfast.jdbc.LockFile.request;
import static io.holdfast.jdbc.LockFile.session;
import static io.holdfast.jdbc.LockFile.take;
import static io.holdfast.jdbc.ServerSchema.connect;
import static io.holdfast.jdbc.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.BackendUnusableException;
import io.holdfast.SessionId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.tck.server.DatabaseServer;
import io.holdfast.tck.server.ServerProcess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What goes wrong with any database server. */
interface ServerFailureRules {

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
      BackendFailure failure =
          catchThrowableOfType(
              BackendFailure.class, () -> backend.grab(request, Deadline.in(SHORT)));

      assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
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
    try (Stranger stranger = Stranger.at(schema().uri())) {
      stranger.change(
          "UPDATE holdfast_locks SET since = since WHERE name = ?", (Object) held.name().bytes());

      // when
      Request request = request(mine, "a", IfHeld.REFUSE);
      BackendFailure failure =
          catchThrowableOfType(
              BackendFailure.class, () -> backend.grab(request, Deadline.in(SHORT)));

      // then
      assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN);
      take(backend, request(mine, "b", IfHeld.REFUSE));
      backend.renew(mine, soon());
    }
  }

  static void awaitRenewed(LockBackend backend, SessionId session) {
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsInstanceOf(BackendFailure.class)
        .until(() -> backend.renew(session, soon()) instanceof Renewed.Alive);
  }
}
